#include "policy/resolve_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "diagnostic/diagnostic.h"
#include "policy/policy_levels.h"
#include "policy/policy_match.h"
#include "policy/policy_tags.h"

namespace fxcut {

namespace {

// Two MUSTs that differ go to `contradictions`.
void meet(Standing& standing, const Level& level, const Opinion& opinion, const Node& node,
          std::vector<Diagnostic>& contradictions) {
  if (standing.level && is_must(standing.policy)) {
    if (is_must(opinion.says) && opinion.says != standing.policy) {
      contradictions.push_back({"",
                                fmt::format("policies contradict each other about '{}': {} says {} ({}), but {} says {} ({})",
                                            node.name, standing.level->policy, name_of(standing.policy), standing.rule,
                                            level.policy, name_of(opinion.says), opinion.rule),
                                "make one of them a PREFER, or narrow its match"});
    }
    if (!is_must(opinion.says)) {  // a MUST stands against any PREFER
      standing.overrode.push_back(fmt::format("{} of '{}' ({})", name_of(opinion.says), level.policy, opinion.rule));
      return;
    }
  }
  if (standing.level) standing.overrode.push_back(standing.describe());
  standing.policy = opinion.says;
  standing.level = &level;
  standing.rule = opinion.rule;
}

// Who wants a name or a view kept wants the value kept, so the value hears of it, from the level that says so.
void tell_values(const Graph& graph, const PolicySubjects& subjects, const Level& level, std::vector<Standing>& standings,
                 std::vector<Diagnostic>& contradictions) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Standing& own = standings[i];
    const NodeId value = subjects.same[i];
    if (own.level != &level || value == node_id(i) || !keeps(own.policy)) continue;
    Standing& of_value = standings[index_of(value)];
    const bool is_said = of_value.level == &level && of_value.policy == own.policy;
    const bool is_meant = graph[value].is_call() || own.rule != "otherwise";  // 'otherwise' speaks of no input
    if (!is_said && is_meant) meet(of_value, level, {own.policy, own.rule}, graph[value], contradictions);
  }
}

// A tuple and its items share their fate: MUSTs that differ contradict each other.
void compare_with_tuples(const Graph& graph, const PolicySubjects& subjects, std::vector<Standing>& standings,
                         std::vector<Diagnostic>& contradictions) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Standing& own = standings[i];
    const NodeId computed_by = computing_node(graph, node_id(i));
    if (!own.level || !is_must(own.policy) || subjects.same[i] != node_id(i) || computed_by == node_id(i)) continue;
    Standing& tuple = standings[index_of(computed_by)];
    if (!tuple.level || !is_must(tuple.policy) || keeps(tuple.policy) == keeps(own.policy)) continue;
    meet(tuple, *own.level, {own.policy, own.rule}, graph[computed_by], contradictions);
  }
}

// Inputs and calls that do not depend on a gradient.
std::vector<bool> find_subjects(const Graph& graph) {
  std::vector<bool> in_backward(graph.size(), false), subjects(graph.size(), false);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    in_backward[i] = is_tangent(node) || node.meta.tag == PartitionerTag::IsBackward ||
                     node.meta.tag == PartitionerTag::MustBeInBackward ||
                     std::any_of(node.inputs.begin(), node.inputs.end(), [&](NodeId id) { return in_backward[index_of(id)]; });
    subjects[i] = !in_backward[i] && (node.is_call() || is_primal(node));
  }
  return subjects;
}

PolicySubjects find_subjects(const Graph& graph, const std::vector<std::string>& naming_operators) {
  PolicySubjects subjects{find_subjects(graph), same_values(graph, naming_operators), {}};
  subjects.names.resize(graph.size());
  for (const NamedValue& named : find_names(graph, subjects.same, naming_operators)) {
    subjects.names[index_of(named.value)].insert(named.name);
  }
  return subjects;
}

// Who takes what a naming operator names without the name: JAX would not count that use. Here a name holds for the value.
void tell_of_bypassed_names(const Graph& graph, const PolicySubjects& subjects, const std::vector<std::string>& operators,
                            std::vector<std::string>& warnings) {
  const Users users(graph);
  for (const NamedValue& named : find_names(graph, subjects.same, operators)) {
    const Node& naming = graph[named.naming];
    const auto source = node_argument(naming, 0);
    const bool is_operator = naming.is_call() && std::find(operators.begin(), operators.end(), naming.callee->target) != operators.end();
    if (!is_operator || !source) continue;
    for (const NodeId user : users.of(*source)) {
      if (user == named.naming || graph[user].is_output()) continue;
      warnings.push_back(fmt::format("'{}' takes '{}' itself, not '{}', which names it '{}': the name holds for both", graph[user].name,
                                     graph[*source].name, naming.name, named.name));
      break;
    }
  }
}

}  // namespace

PolicyOptions policy_options(const Settings& settings) {
  return {naming_operators(settings), settings.ignore_tags, settings.enable_activation_offloading};
}

PolicyOutcome apply_policies(JointGraph& joint, const PolicyStack& stack, const PolicyOptions& options) {
  Graph& graph = joint.graph;
  if (options.ignore_tags) {
    for (Node& node : graph.nodes) node.meta.recompute.reset();
  }
  if (stack.empty()) return {};
  if (!options.keep_offload_marks) {
    for (Node& node : graph.nodes) node.meta.should_offload = false;
  }
  const PolicySubjects subjects = find_subjects(graph, options.naming_operators);
  std::vector<std::string> warnings;
  std::vector<Level> levels = {level_of_tags(graph, subjects)};
  for (const Policy& policy : stack) levels.push_back(level_of(policy, graph, subjects, warnings));
  std::vector<Standing> standings(graph.size());
  std::vector<Diagnostic> contradictions;
  for (const Level& level : levels) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (level.opinions[i]) meet(standings[i], level, *level.opinions[i], graph.nodes[i], contradictions);
    }
    tell_values(graph, subjects, level, standings, contradictions);
  }
  compare_with_tuples(graph, subjects, standings, contradictions);
  if (!contradictions.empty()) throw Failure(ExitStatus::NoPartition, std::move(contradictions));
  tell_of_bypassed_names(graph, subjects, options.naming_operators, warnings);
  PolicyOutcome outcome = tag_nodes(graph, subjects, std::move(standings));
  outcome.warnings.insert(outcome.warnings.begin(), warnings.begin(), warnings.end());
  return outcome;
}

}  // namespace fxcut
