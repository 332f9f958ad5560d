#include "report/describe_names.h"

#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "cost/size.h"
#include "policy/names.h"

namespace fxcut {
namespace {

std::unordered_set<std::string_view> call_names(const Graph& graph) {
  std::unordered_set<std::string_view> names;
  for (const Node& node : graph.nodes) {
    if (node.is_call()) names.insert(node.name);
  }
  return names;
}

}  // namespace

std::string_view decision_word(NameUse::Decision decision) {
  switch (decision) {
    case NameUse::Decision::Saved: return "saved";
    case NameUse::Decision::Recomputed: return "recomputed";
    case NameUse::Decision::Offloaded: return "offloaded";
    case NameUse::Decision::NotNeeded: return "not_needed";
  }
  return "";
}

std::vector<NameUse> describe_names(const JointGraph& joint, const Report& report, const GraphPair& graphs) {
  const Graph& graph = joint.graph;
  const std::vector<std::string> operators = naming_operators(report.settings);
  const std::vector<NodeId> same = same_values(graph, operators);
  const std::vector<NamedValue> names = find_names(graph, same, operators);
  if (names.empty()) return {};
  std::unordered_map<std::string_view, NodeId> value_of_node;
  for (std::size_t i = 0; i < graph.size(); ++i) value_of_node.emplace(graph.nodes[i].name, same[i]);
  std::unordered_map<std::size_t, const SavedValue*> saved;  // by value; the first of several
  for (const SavedValue& row : report.saved_values) saved.emplace(index_of(value_of_node.at(row.name)), &row);
  std::unordered_set<std::size_t> computed_again;
  const auto in_backward = call_names(graphs.backward), in_forward = call_names(graphs.forward);
  for (const auto& [node, value] : value_of_node) {
    if (in_backward.contains(node) && in_forward.contains(node)) computed_again.insert(index_of(value));
  }
  const std::vector<std::string> placeholders = placeholder_names(graphs.backward);
  std::vector<NameUse> uses;
  for (const NamedValue& named : names) {
    NameUse& use = uses.emplace_back();
    use.name = named.name;
    use.node = graph[named.naming].name;
    use.size_bytes = find_size(graph[named.naming], report.settings).value_or(0);
    const auto row = saved.find(index_of(named.value));
    if (row != saved.end()) {
      use.decision = row->second->host_name.empty() ? NameUse::Decision::Saved : NameUse::Decision::Offloaded;
      use.saved_as = row->second->name;
      use.forward_output = row->second->forward_output;
      use.backward_input = row->second->backward_input;
      use.backward_placeholder = placeholders.at(row->second->backward_input);
    } else if (computed_again.contains(index_of(named.value))) {
      use.decision = NameUse::Decision::Recomputed;
    }
  }
  return uses;
}

}  // namespace fxcut
