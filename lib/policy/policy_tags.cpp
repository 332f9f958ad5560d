#include "policy/policy_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "policy/backward_reach.h"
#include "policy/policy_subjects.h"

namespace fxcut {

std::string Standing::describe() const { return fmt::format("{} of '{}' ({})", name_of(policy), level->policy, rule); }

namespace {

// By node, whether what stands for its value keeps it.
std::vector<bool> find_kept(const std::vector<Standing>& standings, const std::vector<NodeId>& same) {
  std::vector<bool> kept(same.size());
  for (std::size_t i = 0; i < same.size(); ++i) {
    const Standing& standing = standings[index_of(same[i])];
    kept[i] = standing.level && keeps(standing.policy);
  }
  return kept;
}

class Tagging {
 public:
  Tagging(JointGraph& joint, const TaggedSubjects& subjects, std::vector<Standing> standings)
      : graph_(joint.graph),
        users_(joint.graph),
        is_subject_(subjects.is_subject),
        same_(subjects.same),
        wholes_(subjects.wholes),
        names_(subjects.naming_operators),
        standings_(std::move(standings)),
        kept_(find_kept(standings_, same_)),
        reach_(find_backward_reach(joint, kept_)) {}

  PolicyOutcome run() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (standings_[i].level && same_[i] == node_id(i)) tag_value(node_id(i));
    }
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (is_subject_[i] && graph_.nodes[i].is_call() && same_[i] != node_id(i)) tag_alias(node_id(i));
    }
    for (std::size_t i = 0; i < graph_.size(); ++i) keep_with_its_tuple(node_id(i));
    for (std::size_t i = 0; i < graph_.size(); ++i) leave_to_backward(node_id(i));
    return std::move(outcome_);
  }

 private:
  // The items of a tuple that is not computed again cannot be, either.
  void keep_with_its_tuple(NodeId id) {
    const NodeId computed_by = computing_node(graph_, id);
    const bool is_stuck = computed_by != id && graph_[computed_by].meta.recompute == CheckpointPolicy::MustSave;
    if (is_stuck && graph_[id].must_recompute()) graph_[id].meta.recompute = CheckpointPolicy::PreferSave;
  }

  // What only the backward uses is computed there from what is kept, and not saved in its place.
  void leave_to_backward(NodeId id) {
    const std::size_t i = index_of(id);
    if (!reach_.own[i] || standings_[i].level) return;
    if (const NodeId tuple = computing_node(graph_, id); tuple != id) {  // which is kept by keeping its items
      kept_[i] = kept_[i] || kept_[index_of(tuple)];
      return;
    }
    const auto& inputs = graph_[id].inputs;
    const bool is_of_kept =
        std::any_of(inputs.begin(), inputs.end(), [&](NodeId input) { return kept_[index_of(input)]; });
    if (!is_of_kept) return;
    kept_[i] = true;  // so much as, for what is made of it
    graph_[id].meta.recompute = CheckpointPolicy::PreferRecompute;
  }

  void tag_value(NodeId id) {
    const Standing& standing = standings_[index_of(id)];
    keep_reason(id);
    Node& node = graph_[id];
    if (tell_of_tuple(id, standing)) return;
    if (standing.policy == CheckpointPolicy::MustSave && is_saved_in_whole(id)) {
      node.meta.recompute = CheckpointPolicy::PreferRecompute;
    } else if (keeps(standing.policy)) {
      keep(id, standing.policy);
    } else if (is_recompute(standing.policy)) {
      recompute(node, standing);
    } else {
      node.meta.recompute = standing.policy;
    }
  }

  // Whether it is a part of a value that is saved, from which it is free to make.
  bool is_saved_in_whole(NodeId id) const {
    const NodeId whole = wholes_[index_of(id)];
    const Standing& of_whole = standings_[index_of(whole)];
    return whole != id && of_whole.level && of_whole.policy == CheckpointPolicy::MustSave;
  }

  // Keeps a value from being computed again, and on the host if `policy` says so.
  void keep(NodeId id, CheckpointPolicy policy) {
    Node& node = graph_[id];
    if (!node.is_call()) {
      if (policy == CheckpointPolicy::MustSave) return;  // an input is there anyway
      if (!offload_input(id)) return;
    }
    if (policy != CheckpointPolicy::MustSave) {
      outcome_.offloads = node.meta.should_offload = true;
      node.meta.offload_wish = policy == CheckpointPolicy::PreferCpuOffload      ? OffloadWish::Preferred
                               : standings_[index_of(id)].level->is_permission ? OffloadWish::Permitted
                                                                                 : OffloadWish::Must;
    }
    if (!node.is_call()) return;
    const NodeId computed_by = computing_node(graph_, id);
    node.meta.kept_part = computed_by == id && (node.callee->is(Operator::View) || node.calls("operator.getitem"));
    if (computed_by != id) graph_[id].meta.recompute = CheckpointPolicy::PreferSave;
    graph_[computed_by].meta.recompute = CheckpointPolicy::MustSave;
  }

  // Whether an input is copied to the host, which frees nothing while its caller holds it.
  bool offload_input(NodeId id) {
    const Standing& standing = standings_[index_of(id)];
    const bool is_wanted = standing.level->is_permission
                               ? !is_needed_without_name(graph_, users_, id, reach_.needed, same_, names_)
                               : standing.policy == CheckpointPolicy::MustCpuOffload;
    tell(fmt::format("'{}' is an input, which lives anyway: {}", graph_[id].name,
                     is_wanted ? "offloading it frees memory only where its caller drops it" : "it is not offloaded"));
    return is_wanted;
  }

  // A tuple is kept by keeping its items. Whether that is said: not where a policy speaks of everything.
  bool tell_of_tuple(NodeId id, const Standing& standing) {
    Node& node = graph_[id];
    const bool is_tuple = node.is_call() && node.value && node.value->kind == Value::Kind::Tuple;
    if (!is_tuple || !keeps(standing.policy)) return false;
    if (standing.policy == CheckpointPolicy::MustCpuOffload && !standing.level->is_permission) {
      throw Failure(ExitStatus::NoPartition,
                    fmt::format("'{}' ({}) must be offloaded by policy '{}' ({}), but it is a tuple", node.name,
                                node.callee->target, standing.level->policy, standing.rule),
                    "offload what is taken out of it");
    }
    if (standing.rule != kOtherwise && !standing.level->is_permission) {
      tell(fmt::format("'{}' is a tuple: what is taken out of it is saved in its place", node.name));
    }
    node.meta.recompute = CheckpointPolicy::MustSave;
    return true;
  }

  void recompute(Node& node, const Standing& standing) {
    const bool must = standing.policy == CheckpointPolicy::MustRecompute;
    if (!node.is_call()) return;
    node.meta.recompute = standing.policy;
    if (!must) return;
    const std::string_view what = is_random(node) ? "draws random numbers: it draws them again from the same state"
                                  : node.callee->is_collective() ? "is a collective: all ranks run it once more"
                                  : is_impure(node)              ? "has a side effect, which then happens twice"
                                                                 : "";
    if (!what.empty()) tell(fmt::format("'{}' must be recomputed, but it {}", node.name, what));
  }

  // A name or a view of a value: computed again from it, unless a policy speaks of this node itself.
  void tag_alias(NodeId id) {
    const Standing& own = standings_[index_of(id)];
    const NodeId value = same_[index_of(id)];
    const bool is_kept = !graph_[value].is_call() || is_saved_in_whole(value) ||
                         graph_[computing_node(graph_, value)].meta.recompute == CheckpointPolicy::MustSave;
    if (!own.level) return follow(id, value, is_kept);
    keep_reason(id);
    if (keeps(own.policy) && own.rule != kOtherwise) {
      tell(fmt::format("'{}' is a view or a name of '{}', which is kept in its place", graph_[id].name,
                                              graph_[value].name));
    }
    const bool is_open = own.policy == CheckpointPolicy::PreferSave;
    graph_[id].meta.recompute = is_open ? CheckpointPolicy::PreferSave : CheckpointPolicy::PreferRecompute;
  }

  // What no policy speaks of goes the way of its value.
  void follow(NodeId id, NodeId value, bool is_kept) {
    const Standing& of_value = standings_[index_of(value)];
    if (!of_value.level || !(is_kept || is_recompute(of_value.policy))) return;
    const CheckpointPolicy says = is_kept ? CheckpointPolicy::PreferRecompute : of_value.policy;
    graph_[id].meta.recompute = says;
    const std::string rule = fmt::format("a view or a name of '{}': {}", graph_[value].name, of_value.rule);
    outcome_.reasons.emplace(graph_[id].name, PolicyReason{of_value.level->policy, rule, says, {}});
  }

  void tell(std::string warning) { outcome_.warnings.push_back(std::move(warning)); }

  void keep_reason(NodeId id) {
    const Standing& standing = standings_[index_of(id)];
    outcome_.reasons.emplace(graph_[id].name,
                             PolicyReason{standing.level->policy, standing.rule, standing.policy, standing.overrode});
  }

  Graph& graph_;
  const Users users_;
  const std::vector<bool>& is_subject_;
  const std::vector<NodeId>& same_;
  const std::vector<NodeId>& wholes_;
  const std::vector<std::string>& names_;
  std::vector<Standing> standings_;
  std::vector<bool> kept_;
  const BackwardReach reach_;
  PolicyOutcome outcome_;
};

}  // namespace

PolicyOutcome tag_nodes(JointGraph& joint, const TaggedSubjects& subjects, std::vector<Standing> standings) {
  return Tagging(joint, subjects, std::move(standings)).run();
}

}  // namespace fxcut
