#include "policy/policy_levels.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnostic/diagnostic.h"
#include "policy/jax_policies.h"

namespace fxcut {

namespace {

std::vector<std::string_view> all_names(const PolicySubjects& subjects) {
  std::vector<std::string_view> names;
  for (const auto& of_node : subjects.names) names.insert(names.end(), of_node.begin(), of_node.end());
  return names;
}

// "; did you mean 'q'?", where `wanted` is not there but something like it is.
std::string nearest(const std::string& wanted, const std::vector<std::string_view>& known) {
  if (std::find(known.begin(), known.end(), wanted) != known.end()) return "";
  const std::string hint = did_you_mean(wanted, known);
  return hint.empty() ? "" : "; " + hint;
}

// The same for the first part of a match that speaks of nothing.
std::string nearest(const PolicyMatch& match, const Graph& graph, const PolicySubjects& subjects) {
  std::vector<std::string_view> operators, modules, dtypes;
  for (const Node& node : graph.nodes) {
    if (node.is_call()) operators.push_back(node.callee->target);
    if (node.provenance) modules.push_back(node.provenance->module);
    if (node.has_tensor()) dtypes.push_back(node.value->tensor.dtype->name);
  }
  std::string hint;
  if (match.name) hint = nearest(match.name->text(), all_names(subjects));
  if (hint.empty() && match.op) hint = nearest(match.op->text(), operators);
  if (hint.empty() && match.module) hint = nearest(match.module->text(), modules);
  if (hint.empty() && match.dtype) hint = nearest(*match.dtype, dtypes);
  return hint;
}

Level level_of(const RuleList& list, const std::string& name, const Graph& graph, const PolicySubjects& subjects,
               std::vector<std::string>& warnings) {
  Level level{name, std::vector<std::optional<Opinion>>(graph.size()), false};
  for (std::size_t r = 0; r < list.rules.size(); ++r) {
    const PolicyRule& rule = list.rules[r];
    const std::string rule_text = fmt::format("rule {}: {}", r + 1, describe(rule.match));
    const std::vector<bool> selected = select(graph, subjects, rule.match);
    if (std::find(selected.begin(), selected.end(), true) == selected.end()) {
      warnings.push_back(
          fmt::format("policy '{}', {}: matches nothing{}", name, rule_text, nearest(rule.match, graph, subjects)));
    }
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (selected[i] && !level.opinions[i]) level.opinions[i] = Opinion{rule.policy, rule_text};
    }
  }
  for (std::size_t i = 0; i < graph.size() && list.otherwise; ++i) {
    const bool applies = subjects.is_subject[i] && graph.nodes[i].is_call() && !level.opinions[i];
    if (applies) level.opinions[i] = Opinion{*list.otherwise, std::string(kOtherwise)};
  }
  return level;
}

void tell_of_missing_names(const JaxPolicy& policy, const std::string& name, const PolicySubjects& subjects,
                           std::vector<std::string>& warnings) {
  const std::vector<std::string_view> known = all_names(subjects);
  for (const auto* list : {&policy.names, &policy.save, &policy.offload}) {
    for (const std::string& wanted : *list) {
      if (std::find(known.begin(), known.end(), wanted) != known.end()) continue;
      warnings.push_back(fmt::format("policy '{}': no value is named '{}'{}", name, wanted, nearest(wanted, known)));
    }
  }
  for (const JaxPolicy& part : policy.policies) tell_of_missing_names(part, name, subjects, warnings);
}

Level level_of(const JaxPolicy& policy, const std::string& name, const Graph& graph, const PolicySubjects& subjects,
               std::vector<std::string>& warnings) {
  tell_of_missing_names(policy, name, subjects, warnings);
  Level level{name, std::vector<std::optional<Opinion>>(graph.size()), true};
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!subjects.is_subject[i]) continue;
    // Names and views are no operations: whether a value may be saved is asked of what computes it.
    const bool computes = subjects.same[i] == node_id(i);
    const Permission permission =
        computes ? jax_permission(policy, graph.nodes[i], subjects.names[i]) : Permission::No;
    const CheckpointPolicy says = permission == Permission::Save      ? CheckpointPolicy::MustSave
                                  : permission == Permission::Offload ? CheckpointPolicy::MustCpuOffload
                                                                      : CheckpointPolicy::PreferRecompute;
    if (graph.nodes[i].is_call() || permission != Permission::No) level.opinions[i] = Opinion{says, describe(policy)};
  }
  return level;
}

}  // namespace

Level level_of(const Policy& policy, const Graph& graph, const PolicySubjects& subjects, std::vector<std::string>& warnings) {
  if (const RuleList* rules = std::get_if<RuleList>(&policy.says)) {
    return level_of(*rules, policy.name, graph, subjects, warnings);
  }
  return level_of(std::get<JaxPolicy>(policy.says), policy.name, graph, subjects, warnings);
}

}  // namespace fxcut
