#include "policy/policy_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "diagnostic/diagnostic.h"
#include "policy/jax_policies.h"
#include "policy/policy_subjects.h"

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
    const Selection selection = select(graph, subjects, rule.match);
    if (selection.count == 0) {
      const std::string hint = selection.but_for_every == 0
                                   ? nearest(rule.match, graph, subjects)
                                   : fmt::format(": the rest of it holds for {}", selection.but_for_every);
      warnings.push_back(fmt::format("policy '{}', {}: matches nothing{}", name, rule_text, hint));
    }
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (selection.selected[i] && !level.opinions[i]) level.opinions[i] = Opinion{rule.policy, rule_text};
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

// What a permission comes to, by Permission.
constexpr std::array<std::pair<CheckpointPolicy, std::string_view>, 4> kSaid = {{
    {CheckpointPolicy::PreferRecompute, "not saveable"},
    {CheckpointPolicy::PreferRecompute, "not saveable by its name"},
    {CheckpointPolicy::MustSave, "saveable"},
    {CheckpointPolicy::MustCpuOffload, "to the host"},
}};

// What is refused is not to be saved as a part of what it is in. And the items of a tuple that JAX would compute each
// by itself are here computed by one operator: where one is refused, it runs again, and with it all of them.
void refuse_what_holds_it(const Graph& graph, const PolicySubjects& subjects, Level& level) {
  std::map<NodeId, Opinion> refused;
  const auto computed_by = [&](std::size_t i) { return computing_node(graph, subjects.wholes[i]); };
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto& opinion = level.opinions[i];
    if (opinion && opinion->refuses && computed_by(i) != node_id(i)) refused.emplace(computed_by(i), *opinion);
  }
  for (std::size_t i = 0; i < graph.size() && !refused.empty(); ++i) {
    const auto found = refused.find(computed_by(i));
    if (found != refused.end() && level.opinions[i]) level.opinions[i] = found->second;
  }
}

Level level_of(const JaxPolicy& policy, const std::string& name, const Graph& graph, const PolicySubjects& subjects,
               std::vector<std::string>& warnings) {
  tell_of_missing_names(policy, name, subjects, warnings);
  const std::string what = describe(policy), prefix = what == name ? "" : what + ": ";
  Level level{name, std::vector<std::optional<Opinion>>(graph.size()), true};
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!subjects.is_subject[i]) continue;
    // Names and views are no operations: whether a value may be saved is asked of what computes it.
    const bool computes = subjects.same[i] == node_id(i);
    const AskedValue value{graph.nodes[i], subjects.names[i], subjects.names[index_of(subjects.copied[i])]};
    const Permission permission = computes ? jax_permission(policy, value) : Permission::No;
    if (permission <= Permission::Refused && !graph.nodes[i].is_call()) continue;
    const auto& [says, rule] = kSaid[static_cast<std::size_t>(permission)];
    level.opinions[i] = Opinion{says, prefix + std::string(rule), permission == Permission::Refused};
  }
  refuse_what_holds_it(graph, subjects, level);
  return level;
}

}  // namespace

Level level_of(const Policy& policy, const Graph& graph, const PolicySubjects& subjects,
               std::vector<std::string>& warnings) {
  if (const RuleList* rules = std::get_if<RuleList>(&policy.says)) {
    return level_of(*rules, policy.name, graph, subjects, warnings);
  }
  return level_of(std::get<JaxPolicy>(policy.says), policy.name, graph, subjects, warnings);
}

}  // namespace fxcut
