#include "policy/match_policies.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include "cost/size.h"
#include "normalise/inline_checkpoints.h"
#include "policy/names.h"
#include "policy/policy_levels.h"
#include "policy/policy_subjects.h"

namespace fxcut {
namespace {

std::vector<NameAsRead> names_as_read(const Graph& graph, const std::vector<NamedValue>& names,
                                      const Settings& settings) {
  std::vector<NameAsRead> read;
  for (const NamedValue& named : names) {
    const Node& naming = graph[named.naming];
    read.push_back({named.name, naming.name, graph[named.value].name, find_size(naming, settings).value_or(0)});
  }
  return read;
}

// The first user of `source` itself and not of the value; for example, autograd detaches the tensors that it keeps.
std::optional<NodeId> find_bypass(const Graph& graph, const Users& users, const std::vector<NodeId>& same,
                                  NodeId source, NodeId value) {
  for (const NodeId user : users.of(source)) {
    if (same[index_of(user)] != value && !graph[user].is_output()) return user;
  }
  return std::nullopt;
}

// Warns of users of a naming operator's argument: JAX would not count them as uses of the name, here a name holds for
// the value.
void warn_of_bypassed_names(const Graph& graph, const std::vector<NodeId>& same, const std::vector<NamedValue>& names,
                            const std::vector<std::string>& operators, std::vector<std::string>& warnings) {
  const Users users(graph);
  std::map<std::pair<NodeId, NodeId>, std::optional<NodeId>> bypasses;  // by source and value: it may have many names
  for (const NamedValue& named : names) {
    const Node& naming = graph[named.naming];
    const auto source = node_argument(naming, 0);
    if (!source || !is_naming(naming, operators)) continue;
    const auto [known, is_new] = bypasses.try_emplace({*source, named.value});
    if (is_new) known->second = find_bypass(graph, users, same, *source, named.value);
    if (const auto user = known->second) {
      warnings.push_back(fmt::format("'{}' takes '{}' itself, not '{}', which names it '{}': the name holds for both",
                                     graph[*user].name, graph[*source].name, naming.name, named.name));
    }
  }
}

// Policies do not reach into a checkpointed region whose body is not in the file.
void warn_of_missing_bodies(const Graph& graph, std::vector<std::string>& warnings) {
  for (const Node& node : graph.nodes) {
    if (!node.calls(kCheckpointCall)) continue;
    warnings.push_back(fmt::format("'{}' ({}): its body is not among the graph's subgraphs, so it is one operator",
                                   node.name, kCheckpointCall));
  }
}

}  // namespace

MatchedPolicies match_policies(const PolicyStack& stack, const JointGraph& joint, const Settings& settings) {
  const Graph& graph = joint.graph;
  const std::vector<std::string> operators = naming_operators(settings);
  const std::vector<NodeId> same = same_values(graph, operators);
  const std::vector<NamedValue> names = find_names(graph, same, operators);
  MatchedPolicies matched;
  matched.names = names_as_read(graph, names, settings);
  warn_of_missing_bodies(graph, matched.warnings);
  if (stack.empty()) return matched;

  for (const Node& node : graph.nodes) matched.nodes.push_back(node.name);
  PolicySubjects subjects{find_subjects(graph), same, std::vector<ValueNames>(graph.size()),
                          copied_values(graph, same),
                          whole_values(graph, same, operators)};
  for (const NamedValue& named : names) subjects.names[index_of(named.value)].push_back(named.name);
  PolicyTargets targets(graph, subjects);
  for (const Policy& policy : stack) matched.levels.push_back(level_of(policy, targets, matched.warnings));
  warn_of_bypassed_names(graph, same, names, operators, matched.warnings);
  return matched;
}

}  // namespace fxcut
