#include "eager/saved_owners.h"

#include <optional>

#include "diagnostic/diagnostic.h"
#include "policy/policy_subjects.h"

namespace fxcut {
namespace {

// Calls `visit` with the storage of the value, or with each item's and its number.
void for_each_storage(const Value& value, const auto& visit) {
  if (value.is_tensor() && value.tensor.storage) visit(*value.tensor.storage, std::size_t{0});
  for (std::size_t item = 0; item < value.items.size(); ++item) {
    const Value& of = value.items[item];
    if (of.is_tensor() && of.tensor.storage) visit(*of.tensor.storage, item);
  }
}

bool is_input_or_constant(const Node& node) { return node.is_placeholder() || node.opcode == Opcode::GetAttr; }

// The value that the forward writes to an input at its end, where eager has written to the input itself.
std::optional<NodeId> written_back(const Graph& graph, const Node& node) {
  if (!node.calls("aten.copy_.default")) return std::nullopt;
  const std::optional<NodeId> to = node_argument(node, 0);
  return to && graph[*to].is_placeholder() ? node_argument(node, 1) : std::nullopt;
}

}  // namespace

SavedOwners::SavedOwners(const Graph& graph) : graph_(graph), bytes_(storage_bytes(graph)), by_name_(nodes_by_name(graph)) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (!node.value) continue;
    const NodeId call = computing_node(graph, node_id(i));
    for_each_storage(*node.value, [&](std::int64_t storage, std::size_t item) {
      const std::size_t of = static_cast<std::size_t>(item_position(node).value_or(static_cast<std::int64_t>(item)));
      owners_.emplace(storage, SavedOwner{call, of, is_input_or_constant(node)});
    });
  }
  for (const Node& node : graph.nodes) {
    const std::optional<NodeId> written = written_back(graph, node);
    if (!written || !graph[*written].storage()) continue;
    owners_.at(*graph[*written].storage()).is_input = true;
  }
}

SavedOwner SavedOwners::of(const std::string& name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) throw InternalError("a saved value is not in the graph: " + name);
  const Node& node = graph_[found->second];
  if (node.storage()) return owners_.at(*node.storage());
  const auto item = static_cast<std::size_t>(item_position(node).value_or(0));
  return {computing_node(graph_, found->second), item, is_input_or_constant(node)};
}

std::int64_t SavedOwners::other_bytes(NodeId call, const std::vector<std::string>& values) const {
  if (!graph_[call].value) return 0;
  std::unordered_set<std::int64_t> counted;
  for (const std::string& name : values) {
    if (const auto storage = graph_[by_name_.at(name)].storage()) counted.insert(*storage);
  }
  std::int64_t other = 0;
  for_each_storage(*graph_[call].value, [&](std::int64_t storage, std::size_t) {
    if (!owners_.at(storage).is_input && counted.insert(storage).second) other += bytes_.at(storage);
  });
  return other;
}

}  // namespace fxcut
