#include "policy/resolve_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "policy/jax_policies.h"
#include "policy/policy_match.h"

namespace fxcut {

std::string_view name_of(CheckpointPolicy policy) {
  constexpr std::array<std::string_view, 6> names = {"MUST_SAVE",        "PREFER_SAVE",      "MUST_RECOMPUTE",
                                                     "PREFER_RECOMPUTE", "MUST_CPU_OFFLOAD", "PREFER_CPU_OFFLOAD"};
  return names[static_cast<std::size_t>(policy)];
}

namespace {

bool is_must(CheckpointPolicy policy) {
  return policy == CheckpointPolicy::MustSave || policy == CheckpointPolicy::MustRecompute ||
         policy == CheckpointPolicy::MustCpuOffload;
}

// What one level says of one node, and which of its rules says it.
struct Opinion {
  CheckpointPolicy says;
  std::string rule;
};

// One level of the stack: by node, its opinion.
struct Level {
  std::string policy;
  std::vector<std::optional<Opinion>> opinions;
};

Level level_of_tags(const Graph& graph, const PolicySubjects& subjects) {
  Level level{"the graph's tags", std::vector<std::optional<Opinion>>(graph.size())};
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto& tag = graph.nodes[i].meta.recompute;
    if (subjects.is_subject[i] && tag) level.opinions[i] = Opinion{*tag, "meta.recompute"};
  }
  return level;
}

std::vector<std::string_view> all_names(const PolicySubjects& subjects) {
  std::vector<std::string_view> names;
  for (const auto& of_node : subjects.names) names.insert(names.end(), of_node.begin(), of_node.end());
  return names;
}

// ": no value has that name; did you mean ...?"
std::string nearest_name(const std::string& wanted, const PolicySubjects& subjects) {
  const std::string nearest = did_you_mean(wanted, all_names(subjects));
  return nearest.empty() ? "" : "; " + nearest;
}

Level level_of(const RuleList& list, const std::string& name, const Graph& graph, const PolicySubjects& subjects,
               std::vector<std::string>& warnings) {
  Level level{name, std::vector<std::optional<Opinion>>(graph.size())};
  for (std::size_t r = 0; r < list.rules.size(); ++r) {
    const PolicyRule& rule = list.rules[r];
    const std::string rule_text = fmt::format("rule {}: {}", r + 1, describe(rule.match));
    const std::vector<bool> selected = select(graph, subjects, rule.match);
    if (std::find(selected.begin(), selected.end(), true) == selected.end()) {
      const std::string nearest = rule.match.name ? nearest_name(rule.match.name->text(), subjects) : "";
      warnings.push_back(fmt::format("policy '{}', {}: matches nothing{}", name, rule_text, nearest));
    }
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (selected[i] && !level.opinions[i]) level.opinions[i] = Opinion{rule.policy, rule_text};
    }
  }
  for (std::size_t i = 0; i < graph.size() && list.otherwise; ++i) {
    const bool applies = subjects.is_subject[i] && graph.nodes[i].is_call() && !level.opinions[i];
    if (applies) level.opinions[i] = Opinion{*list.otherwise, "otherwise"};
  }
  return level;
}

void tell_of_missing_names(const JaxPolicy& policy, const std::string& name, const PolicySubjects& subjects,
                           std::vector<std::string>& warnings) {
  const std::vector<std::string_view> known = all_names(subjects);
  for (const auto* list : {&policy.names, &policy.save, &policy.offload}) {
    for (const std::string& wanted : *list) {
      if (std::find(known.begin(), known.end(), wanted) != known.end()) continue;
      warnings.push_back(fmt::format("policy '{}': no value is named '{}'{}", name, wanted, nearest_name(wanted, subjects)));
    }
  }
  for (const JaxPolicy& part : policy.policies) tell_of_missing_names(part, name, subjects, warnings);
}

Level level_of(const JaxPolicy& policy, const std::string& name, const Graph& graph, const PolicySubjects& subjects,
               std::vector<std::string>& warnings) {
  tell_of_missing_names(policy, name, subjects, warnings);
  Level level{name, std::vector<std::optional<Opinion>>(graph.size())};
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

// What stands for one node while the levels are gone through.
struct Standing {
  CheckpointPolicy policy = CheckpointPolicy::PreferSave;
  const Level* level = nullptr;  // null while nobody has an opinion
  std::string rule;
  std::vector<std::string> overrode;

  std::string describe() const { return fmt::format("{} of '{}' ({})", name_of(policy), level->policy, rule); }
};

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
    if (!is_must(opinion.says)) return;  // a MUST stands against any PREFER
  }
  if (standing.level) standing.overrode.push_back(standing.describe());
  standing.policy = opinion.says;
  standing.level = &level;
  standing.rule = opinion.rule;
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

// Of what is taken out of a tuple, the tuple's operator is kept from running again.
NodeId computing_node(const Graph& graph, NodeId id) {
  const auto tuple = node_argument(graph[id], 0);
  return graph[id].calls("operator.getitem") && tuple && graph[*tuple].is_call() ? *tuple : id;
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

class Tagging {
 public:
  Tagging(JointGraph& joint, const PolicySubjects& subjects, std::vector<Standing> standings)
      : graph_(joint.graph), subjects_(subjects), standings_(std::move(standings)) {}

  PolicyOutcome run() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (standings_[i].level && subjects_.same[i] == node_id(i)) tag_value(node_id(i));
    }
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (subjects_.is_subject[i] && graph_.nodes[i].is_call() && subjects_.same[i] != node_id(i)) tag_alias(node_id(i));
    }
    for (std::size_t i = 0; i < graph_.size(); ++i) keep_with_its_tuple(node_id(i));
    return std::move(outcome_);
  }

 private:
  // The items of a tuple that is not computed again cannot be, either.
  void keep_with_its_tuple(NodeId id) {
    const NodeId computed_by = computing_node(graph_, id);
    const bool is_stuck = computed_by != id && graph_[computed_by].meta.recompute == CheckpointPolicy::MustSave;
    if (is_stuck && graph_[id].must_recompute()) graph_[id].meta.recompute = CheckpointPolicy::PreferSave;
  }

  void tag_value(NodeId id) {
    const Standing& standing = standings_[index_of(id)];
    keep_reason(id);
    Node& node = graph_[id];
    switch (standing.policy) {
      case CheckpointPolicy::MustCpuOffload:
      case CheckpointPolicy::PreferCpuOffload:
      case CheckpointPolicy::MustSave: keep(id, standing.policy); return;
      case CheckpointPolicy::PreferSave: node.meta.recompute = standing.policy; return;
      default: recompute(node, standing);
    }
  }

  // Keeps a value from being computed again, and on the host if `policy` says so.
  void keep(NodeId id, CheckpointPolicy policy) {
    Node& node = graph_[id];
    if (!node.is_call()) {
      if (policy == CheckpointPolicy::MustSave) return;  // an input is there anyway
      outcome_.warnings.push_back(fmt::format("'{}' is an input, which lives anyway: it is not offloaded", node.name));
      return;
    }
    if (policy != CheckpointPolicy::MustSave) {
      outcome_.offloads = node.meta.should_offload = node.meta.offload_by_policy = true;
      node.meta.offload_is_must = policy == CheckpointPolicy::MustCpuOffload;
    }
    const NodeId computed_by = computing_node(graph_, id);
    if (computed_by != id) graph_[id].meta.recompute = CheckpointPolicy::PreferSave;
    graph_[computed_by].meta.recompute = CheckpointPolicy::MustSave;
  }

  void recompute(Node& node, const Standing& standing) {
    if (!node.is_call()) return;
    node.meta.recompute = standing.policy;
    if (standing.policy != CheckpointPolicy::MustRecompute) return;
    const std::string_view what = is_random(node)                   ? "draws random numbers: the generator's state is saved instead"
                                  : node.callee->is_collective()    ? "is a collective: all ranks run it once more"
                                  : is_impure(node)                 ? "has a side effect, which then happens twice"
                                                                    : "";
    if (!what.empty()) outcome_.warnings.push_back(fmt::format("'{}' must be recomputed, but it {}", node.name, what));
  }

  // A name or a view of a value: computed again from it, unless a policy speaks of this node itself.
  void tag_alias(NodeId id) {
    const Standing& own = standings_[index_of(id)];
    const NodeId value = subjects_.same[index_of(id)];
    const bool is_kept = !graph_[value].is_call() || graph_[value].meta.recompute == CheckpointPolicy::MustSave;
    if (!own.level) {
      if (is_kept && standings_[index_of(value)].level) graph_[id].meta.recompute = CheckpointPolicy::PreferRecompute;
      return;
    }
    keep_reason(id);
    const bool keeps = own.policy != CheckpointPolicy::MustRecompute && own.policy != CheckpointPolicy::PreferRecompute;
    if (keeps && own.policy != CheckpointPolicy::PreferSave && !is_kept) {
      keep(value, own.policy);
      outcome_.warnings.push_back(fmt::format("'{}' is a view or a name of '{}', which is kept in its place", graph_[id].name,
                                              graph_[value].name));
    }
    graph_[id].meta.recompute = keeps && own.policy == CheckpointPolicy::PreferSave ? CheckpointPolicy::PreferSave
                                                                                    : CheckpointPolicy::PreferRecompute;
  }

  void keep_reason(NodeId id) {
    const Standing& standing = standings_[index_of(id)];
    outcome_.reasons.emplace(graph_[id].name,
                             PolicyReason{standing.level->policy, standing.rule, standing.policy, standing.overrode});
  }

  Graph& graph_;
  const PolicySubjects& subjects_;
  std::vector<Standing> standings_;
  PolicyOutcome outcome_;
};

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
  for (const Policy& policy : stack) {
    if (const RuleList* rules = std::get_if<RuleList>(&policy.says)) {
      levels.push_back(level_of(*rules, policy.name, graph, subjects, warnings));
    } else {
      levels.push_back(level_of(std::get<JaxPolicy>(policy.says), policy.name, graph, subjects, warnings));
    }
  }
  std::vector<Standing> standings(graph.size());
  std::vector<Diagnostic> contradictions;
  for (const Level& level : levels) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (level.opinions[i]) meet(standings[i], level, *level.opinions[i], graph.nodes[i], contradictions);
    }
  }
  if (!contradictions.empty()) throw Failure(ExitStatus::NoPartition, std::move(contradictions));
  tell_of_bypassed_names(graph, subjects, options.naming_operators, warnings);
  PolicyOutcome outcome = Tagging(joint, subjects, std::move(standings)).run();
  outcome.warnings.insert(outcome.warnings.begin(), warnings.begin(), warnings.end());
  return outcome;
}

}  // namespace fxcut
