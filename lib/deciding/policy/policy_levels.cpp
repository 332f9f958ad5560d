#include "policy/policy_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "policy/jax_policies.h"
#include "policy/policy_subjects.h"

namespace fxcut {

namespace {

void sort_by_node(std::vector<Opinion>& opinions) {
  std::sort(opinions.begin(), opinions.end(), [](const Opinion& a, const Opinion& b) { return a.node < b.node; });
}

// What is wrong with a rule that selects nothing.
std::string reason_for_nothing(const PolicyMatch& match, const Selection& selection, NearestSubjects& nearest) {
  return selection.but_for_every == 0 ? nearest.to_match(match)
                                      : fmt::format(": the rest of it holds for {}", selection.but_for_every);
}

Level level_of(const RuleList& list, const std::string& name, Audience& audience, std::vector<std::string>& warnings) {
  const Graph& graph = audience.graph;
  Level level{{name, {}, false}, {}};
  std::vector<bool> is_decided(graph.size());
  const auto decide = [&](NodeId node, CheckpointPolicy says, std::size_t rule) {
    if (!is_decided[index_of(node)]) level.opinions.push_back({node, says, false, static_cast<std::uint32_t>(rule)});
    is_decided[index_of(node)] = true;
  };
  for (std::size_t r = 0; r < list.rules.size(); ++r) {
    const PolicyRule& rule = list.rules[r];
    level.speaker.rules.push_back(fmt::format("rule {}: {}", r + 1, describe(rule.match)));
    const Selection selection = audience.index.select(rule.match);
    for (const NodeId node : selection.nodes) decide(node, rule.policy, r);
    if (!selection.nodes.empty()) continue;
    warnings.push_back(fmt::format("policy '{}', {}: matches nothing{}", name, level.speaker.rules.back(),
                                   reason_for_nothing(rule.match, selection, audience.nearest)));
  }
  level.speaker.rules.emplace_back(kOtherwise);
  for (std::size_t i = 0; i < graph.size() && list.otherwise; ++i) {
    const bool is_asked = audience.subjects.is_subject[i] && graph.nodes[i].is_call();
    if (is_asked) decide(node_id(i), *list.otherwise, list.rules.size());
  }
  sort_by_node(level.opinions);
  return level;
}

void tell_of_missing_names(const JaxPolicy& policy, const std::string& name, NearestSubjects& nearest,
                           std::vector<std::string>& warnings) {
  for (const auto* list : {&policy.names, &policy.save, &policy.offload}) {
    for (const std::string& wanted : *list) {
      if (nearest.has_name(wanted)) continue;
      warnings.push_back(fmt::format("policy '{}': no value is named '{}'{}", name, wanted, nearest.to_name(wanted)));
    }
  }
  for (const JaxPolicy& part : policy.policies) tell_of_missing_names(part, name, nearest, warnings);
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
void refuse_what_holds_it(const Graph& graph, const PolicySubjects& subjects, std::vector<Opinion>& opinions) {
  const auto computed_by = [&](NodeId id) { return computing_node(graph, subjects.wholes[index_of(id)]); };
  std::map<NodeId, Opinion> refused;
  for (const Opinion& opinion : opinions) {
    const NodeId whole = computed_by(opinion.node);
    if (opinion.refuses && whole != opinion.node) refused.emplace(whole, opinion);
  }
  if (refused.empty()) return;
  for (Opinion& opinion : opinions) {
    const auto found = refused.find(computed_by(opinion.node));
    if (found == refused.end()) continue;
    const NodeId node = opinion.node;
    opinion = found->second;
    opinion.node = node;
  }
}

Level level_of(const JaxPolicy& policy, const std::string& name, Audience& audience,
               std::vector<std::string>& warnings) {
  tell_of_missing_names(policy, name, audience.nearest, warnings);
  const Graph& graph = audience.graph;
  const PolicySubjects& subjects = audience.subjects;
  const std::string what = describe(policy), prefix = what == name ? "" : what + ": ";
  Level level{{name, {}, true}, {}};
  for (const auto& [says, rule] : kSaid) level.speaker.rules.push_back(prefix + std::string(rule));
  const JaxPermission permits(policy);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!subjects.is_subject[i]) continue;
    // Names and views are no operations: whether a value may be saved is asked of what computes it.
    const bool computes = subjects.same[i] == node_id(i);
    const AskedValue value{graph.nodes[i], subjects.names[i], subjects.names[index_of(subjects.copied[i])]};
    const Permission permission = computes ? permits(value) : Permission::No;
    if (permission <= Permission::Refused && !graph.nodes[i].is_call()) continue;
    const auto rule = static_cast<std::uint32_t>(permission);
    level.opinions.push_back({node_id(i), kSaid[rule].first, permission == Permission::Refused, rule});
  }
  refuse_what_holds_it(graph, subjects, level.opinions);
  return level;
}

}  // namespace

Level level_of(const Policy& policy, Audience& audience, std::vector<std::string>& warnings) {
  const RuleList* rules = std::get_if<RuleList>(&policy.says);
  return rules ? level_of(*rules, policy.name, audience, warnings)
               : level_of(std::get<JaxPolicy>(policy.says), policy.name, audience, warnings);
}

}  // namespace fxcut
