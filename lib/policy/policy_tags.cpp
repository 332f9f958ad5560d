#include "policy/policy_tags.h"

#include <fmt/format.h>

#include <utility>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "policy/policy_subjects.h"

namespace fxcut {

std::string Standing::describe() const { return fmt::format("{} of '{}' ({})", name_of(policy), level->policy, rule); }

namespace {

class Tagging {
 public:
  Tagging(Graph& graph, const std::vector<bool>& is_subject, const std::vector<NodeId>& same,
          std::vector<Standing> standings)
      : graph_(graph), is_subject_(is_subject), same_(same), standings_(std::move(standings)) {}

  PolicyOutcome run() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (standings_[i].level && same_[i] == node_id(i)) tag_value(node_id(i));
    }
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (is_subject_[i] && graph_.nodes[i].is_call() && same_[i] != node_id(i)) tag_alias(node_id(i));
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
    if (tell_of_tuple(id, standing)) return;
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
      if (standings_[index_of(id)].level && standings_[index_of(id)].level->is_permission) {
        outcome_.warnings.push_back(fmt::format("'{}' is an input, which lives anyway: it is not offloaded", node.name));
        return;
      }
    }
    if (policy != CheckpointPolicy::MustSave) {
      outcome_.offloads = node.meta.should_offload = node.meta.offload_by_policy = true;
      node.meta.offload_is_must = policy == CheckpointPolicy::MustCpuOffload;
    }
    if (!node.is_call()) return;
    const NodeId computed_by = computing_node(graph_, id);
    if (computed_by != id) graph_[id].meta.recompute = CheckpointPolicy::PreferSave;
    graph_[computed_by].meta.recompute = CheckpointPolicy::MustSave;
  }

  // A tuple is kept by keeping its items. Whether that is said: not where a policy speaks of everything.
  bool tell_of_tuple(NodeId id, const Standing& standing) {
    Node& node = graph_[id];
    const bool is_tuple = node.is_call() && node.value && node.value->kind == Value::Kind::Tuple;
    if (!is_tuple || !keeps(standing.policy)) return false;
    if (standing.policy == CheckpointPolicy::MustCpuOffload && !standing.level->is_permission) {
      throw Failure(ExitStatus::NoPartition,
                    fmt::format("'{}' ({}) must be offloaded by policy '{}' ({}), but it is a tuple", node.name, node.callee->target,
                                standing.level->policy, standing.rule),
                    "offload what is taken out of it");
    }
    if (standing.rule != kOtherwise && !standing.level->is_permission) {
      outcome_.warnings.push_back(fmt::format("'{}' is a tuple: what is taken out of it is saved in its place", node.name));
    }
    node.meta.recompute = CheckpointPolicy::MustSave;
    return true;
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
    const NodeId value = same_[index_of(id)];
    const bool is_kept = !graph_[value].is_call() ||
                         graph_[computing_node(graph_, value)].meta.recompute == CheckpointPolicy::MustSave;
    if (!own.level) {
      const Standing& of_value = standings_[index_of(value)];
      if (!of_value.level) return;
      if (is_kept) graph_[id].meta.recompute = CheckpointPolicy::PreferRecompute;
      if (!is_kept && is_recompute(of_value.policy)) graph_[id].meta.recompute = of_value.policy;
      return;
    }
    keep_reason(id);
    if (keeps(own.policy) && own.rule != kOtherwise) {
      outcome_.warnings.push_back(fmt::format("'{}' is a view or a name of '{}', which is kept in its place", graph_[id].name,
                                              graph_[value].name));
    }
    const bool is_open = own.policy == CheckpointPolicy::PreferSave;
    graph_[id].meta.recompute = is_open ? CheckpointPolicy::PreferSave : CheckpointPolicy::PreferRecompute;
  }

  void keep_reason(NodeId id) {
    const Standing& standing = standings_[index_of(id)];
    outcome_.reasons.emplace(graph_[id].name,
                             PolicyReason{standing.level->policy, standing.rule, standing.policy, standing.overrode});
  }

  Graph& graph_;
  const std::vector<bool>& is_subject_;
  const std::vector<NodeId>& same_;
  std::vector<Standing> standings_;
  PolicyOutcome outcome_;
};

}  // namespace

PolicyOutcome tag_nodes(Graph& graph, const std::vector<bool>& is_subject, const std::vector<NodeId>& same,
                        std::vector<Standing> standings) {
  return Tagging(graph, is_subject, same, std::move(standings)).run();
}

}  // namespace fxcut
