#include "policy/policy_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "policy/jax_policies.h"
#include "policy/policy_subjects.h"

namespace fxcut {

namespace {

void sort_by_node(std::vector<RuleVerdict>& verdicts) {
  std::sort(verdicts.begin(), verdicts.end(), [](const RuleVerdict& a, const RuleVerdict& b) { return a.node < b.node; });
}

// Why a rule selects nothing: a hint or the number of nodes that match without `every`.
std::string reason_for_nothing(const PolicyMatch& match, const Selection& selection, NearestSubjects& nearest) {
  return selection.but_for_every == 0 ? nearest.to_match(match)
                                      : fmt::format(": the rest of it holds for {}", selection.but_for_every);
}

Level level_of(const RuleList& list, const std::string& name, PolicyTargets& targets, std::vector<std::string>& warnings) {
  const Graph& graph = targets.graph;
  Level level{{name, {}, false}, {}};
  std::vector<bool> is_decided(graph.size());
  const auto decide = [&](NodeId node, CheckpointPolicy checkpoint_policy, std::size_t rule) {
    if (!is_decided[index_of(node)]) level.verdicts.push_back({node, checkpoint_policy, false, static_cast<std::uint32_t>(rule)});
    is_decided[index_of(node)] = true;
  };
  for (std::size_t r = 0; r < list.rules.size(); ++r) {
    const PolicyRule& rule = list.rules[r];
    level.source.rules.push_back(fmt::format("rule {}: {}", r + 1, describe(rule.match)));
    const Selection selection = targets.index.select(rule.match);
    for (const NodeId node : selection.nodes) decide(node, rule.policy, r);
    if (!selection.nodes.empty()) continue;
    warnings.push_back(fmt::format("policy '{}', {}: matches nothing{}", name, level.source.rules.back(),
                                   reason_for_nothing(rule.match, selection, targets.nearest)));
  }
  level.source.rules.emplace_back(kOtherwise);
  for (std::size_t i = 0; i < graph.size() && list.otherwise; ++i) {
    if (targets.subjects.is_subject[i] && graph.nodes[i].is_call()) decide(node_id(i), *list.otherwise, list.rules.size());
  }
  sort_by_node(level.verdicts);
  return level;
}

void warn_of_missing_names(const JaxPolicy& policy, const std::string& name, NearestSubjects& nearest,
                           std::vector<std::string>& warnings) {
  for (const auto* list : {&policy.names, &policy.save, &policy.offload}) {
    for (const std::string& wanted : *list) {
      if (nearest.has_name(wanted)) continue;
      warnings.push_back(fmt::format("policy '{}': no value is named '{}'{}", name, wanted, nearest.to_name(wanted)));
    }
  }
  for (const JaxPolicy& part : policy.policies) warn_of_missing_names(part, name, nearest, warnings);
}

// The verdict for each Permission.
constexpr std::array<std::pair<CheckpointPolicy, std::string_view>, 4> kVerdicts = {{
    {CheckpointPolicy::PreferRecompute, "not saveable"},
    {CheckpointPolicy::PreferRecompute, "not saveable by its name"},
    {CheckpointPolicy::MustSave, "saveable"},
    {CheckpointPolicy::MustCpuOffload, "to the host"},
}};

// A refused value must not be saved as part of its whole either. Items of a tuple, which JAX would compute one by one,
// come from one operator here: if one is refused, the operator is recomputed and with it all items.
void refuse_wholes(const Graph& graph, const PolicySubjects& subjects, std::vector<RuleVerdict>& verdicts) {
  const auto computed_by = [&](NodeId id) { return computing_node(graph, subjects.wholes[index_of(id)]); };
  std::map<NodeId, RuleVerdict> refused;
  for (const RuleVerdict& verdict : verdicts) {
    const NodeId whole = computed_by(verdict.node);
    if (verdict.refuses && whole != verdict.node) refused.emplace(whole, verdict);
  }
  if (refused.empty()) return;
  for (RuleVerdict& verdict : verdicts) {
    const auto found = refused.find(computed_by(verdict.node));
    if (found == refused.end()) continue;
    const NodeId node = verdict.node;
    verdict = found->second;
    verdict.node = node;
  }
}

Level level_of(const JaxPolicy& policy, const std::string& name, PolicyTargets& targets,
               std::vector<std::string>& warnings) {
  warn_of_missing_names(policy, name, targets.nearest, warnings);
  const Graph& graph = targets.graph;
  const PolicySubjects& subjects = targets.subjects;
  const std::string what = describe(policy), prefix = what == name ? "" : what + ": ";
  Level level{{name, {}, true}, {}};
  for (const auto& [checkpoint_policy, rule] : kVerdicts) level.source.rules.push_back(prefix + std::string(rule));
  const JaxPermission permits(policy);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!subjects.is_subject[i]) continue;
    // Names and views are not operations: the permission belongs to the node that computes the value.
    const bool computes = subjects.same[i] == node_id(i);
    const JaxQuery value{graph.nodes[i], subjects.names[i], subjects.names[index_of(subjects.copied[i])]};
    const Permission permission = computes ? permits(value) : Permission::No;
    if (permission <= Permission::Refused && !graph.nodes[i].is_call()) continue;
    const auto rule = static_cast<std::uint32_t>(permission);
    level.verdicts.push_back({node_id(i), kVerdicts[rule].first, permission == Permission::Refused, rule});
  }
  refuse_wholes(graph, subjects, level.verdicts);
  return level;
}

}  // namespace

Level level_of(const Policy& policy, PolicyTargets& targets, std::vector<std::string>& warnings) {
  const RuleList* rules = std::get_if<RuleList>(&policy.content);
  return rules ? level_of(*rules, policy.name, targets, warnings)
               : level_of(std::get<JaxPolicy>(policy.content), policy.name, targets, warnings);
}

}  // namespace fxcut
