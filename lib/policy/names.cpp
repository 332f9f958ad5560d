#include "policy/names.h"

#include <algorithm>
#include <optional>

namespace fxcut {
namespace {

// The name that a naming operator gives: its first argument that is a string.
std::optional<std::string> given_name(const Node& node) {
  for (const Argument& argument : node.arguments->positional) {
    if (argument.kind == Argument::Kind::String) return argument.text;
  }
  const Argument* name = node.arguments->find("name");
  return name && name->kind == Argument::Kind::String ? std::optional(name->text) : std::nullopt;
}

bool share_memory(const Node& a, const Node& b) {
  return a.has_tensor() && b.has_tensor() && a.value->tensor.storage && a.value->tensor.storage == b.value->tensor.storage;
}

}  // namespace

std::vector<std::string> naming_operators(const Settings& settings) {
  std::vector<std::string> targets;
  const std::string& list = settings.naming_operators;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) targets.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return targets;
}

bool is_naming(const Node& node, const std::vector<std::string>& naming_operators) {
  return node.is_call() &&
         std::find(naming_operators.begin(), naming_operators.end(), node.callee->target) != naming_operators.end();
}

std::vector<NodeId> same_values(const Graph& graph, const std::vector<std::string>& naming_operators) {
  std::vector<NodeId> same(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    same[i] = node_id(i);
    const auto source = node_argument(node, 0);
    if (!node.is_call() || !source) continue;
    const bool views = node.callee->is(Operator::View) || share_memory(node, graph[*source]);
    // An item of a tuple of views is a view of what all of them view.
    const bool is_item_of_views = node.calls("operator.getitem") && graph[*source].is_call() &&
                                  graph[*source].callee->is(Operator::View);
    if (is_naming(node, naming_operators) || views || is_item_of_views) same[i] = same[index_of(*source)];
  }
  return same;
}

std::vector<NamedValue> find_names(const Graph& graph, const std::vector<NodeId>& same,
                                   const std::vector<std::string>& naming_operators) {
  std::vector<NamedValue> names;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    const auto add = [&](std::string name) { names.push_back({std::move(name), node_id(i), same[i]}); };
    if (is_naming(node, naming_operators)) {
      if (auto name = given_name(node)) add(std::move(*name));
    }
    if (node.provenance && !node.provenance->checkpoint_name.empty()) add(node.provenance->checkpoint_name);
  }
  return names;
}

}  // namespace fxcut
