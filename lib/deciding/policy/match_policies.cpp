#include "policy/match_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "cost/size.h"
#include "normalise/inline_checkpoints.h"
#include "policy/jax_policies.h"
#include "policy/names.h"

namespace fxcut {
namespace {

template <typename OfNode>
void sort_by_node(std::vector<OfNode>& verdicts) {
  std::ranges::sort(verdicts, {}, &OfNode::node);
}

// For each node, the first rule that matches it.
class FirstRules {
 public:
  explicit FirstRules(std::size_t nodes) : first_(nodes) {}

  // Whether no earlier rule matches the node.
  bool take(NodeId node, std::size_t rule) {
    if (first_[index_of(node)]) return false;
    first_[index_of(node)] = static_cast<std::uint32_t>(rule);
    return true;
  }
  std::size_t rule_of(NodeId taken) const { return *first_[index_of(taken)]; }

 private:
  std::vector<std::optional<std::uint32_t>> first_;  // by node
};

// Why a rule selects nothing: a hint or the number of nodes that match without `every`.
std::string reason_for_nothing(const PolicyMatch& match, const Selection& selection, NearestSubjects& nearest) {
  return selection.but_for_every == 0 ? nearest.to_match(match)
                                      : fmt::format(": the rest of it holds for {}", selection.but_for_every);
}

// A rule all of whose nodes earlier rules of its policy match; `earlier` matches the first of them.
std::string describe_shadowed(const PolicySource& source, std::size_t rule, std::size_t earlier) {
  return fmt::format("policy '{}', {}: has no effect, since earlier rules match the same nodes, such as {}; put it before them",
                     source.policy, source.rules[rule], source.rules[earlier]);
}

Level level_of(const RuleList& list, const std::string& name, PolicyTargets& targets, std::vector<std::string>& warnings) {
  const Graph& graph = targets.graph;
  Level level{{name, {}, false}, {}};
  FirstRules whether(graph.size()), form(graph.size());
  const auto decide = [&](NodeId node, CheckpointPolicy checkpoint_policy, std::size_t rule) {
    if (whether.take(node, rule)) level.verdicts.push_back({node, checkpoint_policy, false, static_cast<std::uint32_t>(rule)});
  };
  const auto compress = [&](NodeId node, const Compressing& compressing, std::size_t rule) {
    if (form.take(node, rule)) level.forms.push_back({node, compressing.dtype, static_cast<std::uint32_t>(rule)});
  };
  for (std::size_t r = 0; r < list.rules.size(); ++r) {
    const PolicyRule& rule = list.rules[r];
    level.source.rules.push_back(fmt::format("rule {}: {}", r + 1, describe(rule.match)));
    const Selection selection = targets.index.select(rule.match);
    const auto* compressing = std::get_if<Compressing>(&rule.policy);
    const std::size_t before = level.verdicts.size() + level.forms.size();
    for (const NodeId node : selection.nodes) {
      compressing ? compress(node, *compressing, r) : decide(node, std::get<CheckpointPolicy>(rule.policy), r);
    }
    if (level.verdicts.size() + level.forms.size() > before) continue;
    if (!selection.nodes.empty()) {
      const std::size_t earlier = (compressing ? form : whether).rule_of(selection.nodes.front());
      warnings.push_back(describe_shadowed(level.source, r, earlier));
      continue;
    }
    warnings.push_back(fmt::format("policy '{}', {}: matches nothing{}", name, level.source.rules.back(),
                                   reason_for_nothing(rule.match, selection, targets.nearest)));
  }
  level.source.rules.emplace_back(kOtherwise);
  for (std::size_t i = 0; i < graph.size() && list.otherwise; ++i) {
    if (targets.subjects.is_subject[i] && graph.nodes[i].is_call()) decide(node_id(i), *list.otherwise, list.rules.size());
  }
  sort_by_node(level.verdicts);
  sort_by_node(level.forms);
  return level;
}

void warn_of_missing_names(const JaxPolicy& policy, const std::string& name, NearestSubjects& nearest,
                           std::vector<std::string>& warnings) {
  for (const auto* list : {&policy.names, &policy.save, &policy.offload}) {
    for (const std::string& listed : *list) {
      if (nearest.has_name(listed)) continue;
      warnings.push_back(fmt::format("policy '{}': no value is named '{}'{}", name, listed, nearest.to_name(listed)));
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

Level level_of(const Policy& policy, PolicyTargets& targets, std::vector<std::string>& warnings) {
  const RuleList* rules = std::get_if<RuleList>(&policy.content);
  return rules ? level_of(*rules, policy.name, targets, warnings)
               : level_of(std::get<JaxPolicy>(policy.content), policy.name, targets, warnings);
}

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
