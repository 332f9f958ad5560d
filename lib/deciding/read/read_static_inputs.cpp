#include "read/read_static_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>

namespace fxcut {
namespace {

using Type = JsonValue::Type;

constexpr std::string_view kStaticInputs = "static_lifetime_inputs";

// The graph's primals, and those that stand for no input of the step.
class Primals {
 public:
  explicit Primals(const Graph& graph) : graph_(graph), is_token_(graph.size(), false) {
    for (const Node& node : graph.nodes) {
      if (node.calls("higher_order.with_effects") && !node.inputs.empty()) is_token_[index_of(node.inputs.front())] = true;
    }
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (is_primal(graph.nodes[i])) add(node_id(i));
    }
  }

  const std::vector<NodeId>& all() const { return all_; }
  // The first or only primal of each input that the step has.
  const std::vector<NodeId>& of_step() const { return of_step_; }

  bool can_be_resident(NodeId id) const { return !is_opaque(graph_[id]) && !is_token_[index_of(id)]; }

 private:
  void add(NodeId id) {
    all_.push_back(id);
    if (is_token_[index_of(id)]) return;
    const bool is_mesh_of_last = is_opaque(graph_[id]) && !of_step_.empty() && graph_[of_step_.back()].has_tensor();
    if (!is_mesh_of_last) of_step_.push_back(id);
  }

  const Graph& graph_;
  std::vector<bool> is_token_;  // by node
  std::vector<NodeId> all_, of_step_;
};

// A side of a partition and a whole step have other placeholders, and names that were never numbers.
bool is_joint(const JsonValue& root) {
  const auto format = member(root, "format");
  return format && format->is(Type::String) && format->text() == "fx-joint-graph";
}

// The listed primals' positions among all, in order.
std::vector<std::size_t> listed_positions(const JsonValue& list, const Graph& graph, const Primals& primals) {
  std::unordered_map<std::string_view, std::size_t> positions;
  for (std::size_t i = 0; i < primals.all().size(); ++i) positions.emplace(graph[primals.all()[i]].name, i);
  std::vector<std::size_t> listed;
  for (const JsonValue entry : list) {
    const auto found = entry.is(Type::String) ? positions.find(entry.text()) : positions.end();
    if (found != positions.end()) listed.push_back(found->second);
  }
  std::ranges::sort(listed);
  return listed;
}

}  // namespace

StaticInputs static_inputs_of(const JsonValue& root, const Graph& graph) {
  StaticInputs inputs;
  const auto list = member(root, kStaticInputs);
  if (!list || !list->is(Type::Array) || list->empty()) return inputs;
  const Primals primals(graph);
  const std::vector<std::size_t> listed = listed_positions(*list, graph, primals);
  for (const std::size_t position : listed) {
    const NodeId id = primals.all()[position];
    if (!is_joint(root) || primals.can_be_resident(id)) inputs.resident.push_back(id);
    else if (!inputs.impossible) inputs.impossible = id;
  }
  if (!inputs.impossible || listed.back() >= primals.of_step().size()) return inputs;
  inputs.is_put_right = true;
  inputs.resident.clear();
  for (const std::size_t position : listed) {
    const NodeId id = primals.of_step()[position];
    if (primals.can_be_resident(id)) inputs.resident.push_back(id);
  }
  return inputs;
}

void read_static_inputs(const JsonValue& root, bool may_lack_some, Graph& graph, Mistakes& mistakes) {
  const auto json = member(root, kStaticInputs);
  if (!json || !expect(*json, Type::Array, "", mistakes)) return;
  std::unordered_map<std::string_view, const Node*> placeholders;
  std::vector<std::string_view> names;
  for (const Node& node : graph.nodes) {
    if (!node.is_placeholder()) continue;
    placeholders.emplace(node.name, &node);
    names.push_back(node.name);
  }
  for (const JsonValue entry : *json) {
    const auto name = read_string(entry, "", mistakes);
    if (!name || placeholders.contains(*name) || may_lack_some) continue;
    mistakes.add(entry, fmt::format("unknown placeholder '{}'", *name),
                 mistakes.has_room() ? did_you_mean(*name, names) : "");
  }
  if (!mistakes.empty()) return;  // only a correct graph has primals
  for (const NodeId id : static_inputs_of(root, graph).resident) graph[id].meta.static_lifetime = true;
}

}  // namespace fxcut
