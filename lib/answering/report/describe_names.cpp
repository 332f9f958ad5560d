#include "report/describe_parts.h"

#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "graph/rebuild.h"
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

std::string_view name_of(NameUse::Decision decision) {
  constexpr std::string_view words[] = {"saved", "recomputed", "offloaded", "not_needed"};
  return words[static_cast<std::size_t>(decision)];
}

std::vector<NameUse> describe_names(const std::vector<NameAsRead>& names, const JointGraph& joint, const Report& report,
                                    const GraphPair& graphs) {
  if (names.empty()) return {};
  const Graph& graph = joint.graph;
  const std::vector<std::string> operators = naming_operators(report.settings);
  const std::vector<NodeId> same = same_values(graph, operators), wholes = whole_values(graph, same, operators);
  const Survivors survivors(joint);
  const auto value_of = [&](const std::string& node) { return same[index_of(*survivors.of(node))]; };
  std::unordered_map<NodeId, const SavedValue*> saved;  // by value; the first of several
  for (const SavedValue& row : report.saved_values) saved.emplace(value_of(row.name), &row);
  std::unordered_set<NodeId> recomputed;
  const auto in_backward = call_names(graphs.backward), in_forward = call_names(graphs.forward);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const std::string& node = graph.nodes[i].name;
    if (in_backward.contains(node) && in_forward.contains(node)) recomputed.insert(same[i]);
  }
  const std::vector<std::string> placeholders = placeholder_names(graphs.backward);
  std::vector<NameUse> uses;
  for (const NameAsRead& named : names) {
    NameUse& use = uses.emplace_back();
    use.name = named.name;
    use.node = named.naming;
    use.size_bytes = named.size_bytes;
    if (!survivors.of(named.value)) continue;  // it was dead code
    const NodeId value = value_of(named.value);
    auto row = saved.find(value);
    if (row == saved.end()) row = saved.find(wholes[index_of(value)]);  // a part is saved with the whole
    if (row != saved.end()) {
      use.decision = row->second->host_name.empty() ? NameUse::Decision::Saved : NameUse::Decision::Offloaded;
      use.saved_as = row->second->name;
      use.forward_output = row->second->forward_output;
      use.backward_input = row->second->backward_input;
      use.backward_placeholder = placeholders.at(row->second->backward_input);
    } else if (recomputed.contains(value)) {
      use.decision = NameUse::Decision::Recomputed;
    }
  }
  return uses;
}

}  // namespace fxcut
