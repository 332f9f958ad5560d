#include "policy/policy_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "policy/backward_reach.h"
#include "policy/policy_subjects.h"

namespace fxcut {

namespace {

// By node, whether what stands for its value keeps it.
std::vector<bool> find_kept(const std::vector<Standing>& standings, const std::vector<NodeId>& same) {
  std::vector<bool> kept(same.size());
  for (std::size_t i = 0; i < same.size(); ++i) kept[i] = standings[index_of(same[i])].keeps();
  return kept;
}

class Tagging {
 public:
  Tagging(JointGraph& joint, const TaggedSubjects& subjects, std::vector<Speaker> speakers,
          std::vector<Standing> standings)
      : graph_(joint.graph),
        users_(joint.graph),
        is_subject_(subjects.is_subject),
        same_(subjects.same),
        wholes_(subjects.wholes),
        names_(subjects.naming_operators),
        speakers_(std::move(speakers)),
        standings_(std::move(standings)),
        kept_(find_kept(standings_, same_)),
        reach_(find_backward_reach(joint, kept_)) {}

  PolicyOutcome run() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (standings_[i].stands && same_[i] == node_id(i)) tag_value(node_id(i));
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
    if (!reach_.own[i] || standings_[i].stands) return;
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
    Node& node = graph_[id];
    if (is_recompute(standing.stands->says) && draws_seeds(node)) return tell_of_seeds(node, standing);
    keep_reason(id);
    if (tell_of_tuple(id, standing)) return;
    const CheckpointPolicy says = standing.stands->says;
    if (says == CheckpointPolicy::MustSave && is_saved_in_whole(id)) {
      node.meta.recompute = CheckpointPolicy::PreferRecompute;
    } else if (keeps(says)) {
      keep(id, says);
    } else if (is_recompute(says)) {
      recompute(id, says);
    } else {
      node.meta.recompute = says;
    }
  }

  // Whether it is a part of a value that is saved, from which it is free to make.
  bool is_saved_in_whole(NodeId id) const {
    const NodeId whole = wholes_[index_of(id)];
    return whole != id && standings_[index_of(whole)].says(CheckpointPolicy::MustSave);
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
                               : is_permission(standings_[index_of(id)])       ? OffloadWish::Permitted
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
    const bool is_wanted = is_permission(standing)
                               ? !is_needed_without_name(graph_, users_, id, reach_.needed, same_, names_)
                               : standing.says(CheckpointPolicy::MustCpuOffload);
    tell(fmt::format("'{}' is an input, which lives anyway: {}", graph_[id].name,
                     is_wanted ? "offloading it frees memory only where its caller drops it" : "it is not offloaded"));
    return is_wanted;
  }

  // A tuple is kept by keeping its items. Whether that is said: not where a policy speaks of everything.
  bool tell_of_tuple(NodeId id, const Standing& standing) {
    Node& node = graph_[id];
    const bool is_tuple = node.is_call() && node.value && node.value->kind == Value::Kind::Tuple;
    if (!is_tuple || !standing.keeps()) return false;
    if (standing.says(CheckpointPolicy::MustCpuOffload) && !is_permission(standing)) {
      throw Failure(ExitStatus::NoPartition,
                    fmt::format("'{}' ({}) must be offloaded by policy '{}' ({}), but it is a tuple", node.name,
                                node.callee->target, speaker_of(standing).policy, rule_of(*standing.stands, speakers_)),
                    "offload what is taken out of it");
    }
    if (!is_otherwise(standing) && !is_permission(standing)) {
      tell(fmt::format("'{}' is a tuple: what is taken out of it is saved in its place", node.name));
    }
    node.meta.recompute = CheckpointPolicy::MustSave;
    return true;
  }

  // What cannot be done; not said where a policy speaks of everything.
  void tell_of_seeds(const Node& node, const Standing& standing) {
    if (!standing.says(CheckpointPolicy::MustRecompute) || is_otherwise(standing)) return;
    tell(fmt::format("'{}' draws seeds by code of inductor's own, which would draw others a second time: they are not "
                     "recomputed", node.name));
  }

  void recompute(NodeId id, CheckpointPolicy policy) {
    Node& node = graph_[id];
    if (!node.is_call()) return;
    node.meta.recompute = policy;
    recompute_with_its_tuple(id);
    if (policy != CheckpointPolicy::MustRecompute) return;
    const std::string_view what = is_random(node) ? "draws random numbers: it draws them again from the same state"
                                  : node.callee->is_collective() ? "is a collective: all ranks run it once more"
                                  : is_impure(node)              ? "has a side effect, which then happens twice"
                                                                 : "";
    if (!what.empty()) tell(fmt::format("'{}' must be recomputed, but it {}", node.name, what));
  }

  // An item that is computed again takes its tuple, which cannot be saved, unless a policy speaks of the tuple itself.
  void recompute_with_its_tuple(NodeId id) {
    const NodeId computed_by = computing_node(graph_, id);
    Node& tuple = graph_[computed_by];
    if (computed_by == id || standings_[index_of(computed_by)].stands || tuple.meta.recompute) return;
    const Saying& says = *standings_[index_of(id)].stands;
    tuple.meta.recompute = says.says;
    outcome_.reasons.add_follower(tuple.name, says, fmt::format("the tuple of '{}'", graph_[id].name));
  }

  // A name or a view of a value: computed again from it, unless a policy speaks of this node itself.
  void tag_alias(NodeId id) {
    const Standing& own = standings_[index_of(id)];
    const NodeId value = same_[index_of(id)];
    const bool is_kept = !graph_[value].is_call() || is_saved_in_whole(value) ||
                         graph_[computing_node(graph_, value)].meta.recompute == CheckpointPolicy::MustSave;
    if (!own.stands) return follow(id, value, is_kept);
    keep_reason(id);
    if (own.keeps() && !is_otherwise(own)) {
      tell(fmt::format("'{}' is a view or a name of '{}', which is kept in its place", graph_[id].name,
                                              graph_[value].name));
    }
    const bool is_open = own.says(CheckpointPolicy::PreferSave);
    graph_[id].meta.recompute = is_open ? CheckpointPolicy::PreferSave : CheckpointPolicy::PreferRecompute;
  }

  // What no policy speaks of goes the way of its value.
  void follow(NodeId id, NodeId value, bool is_kept) {
    const Standing& of_value = standings_[index_of(value)];
    if (!of_value.stands || !(is_kept || is_recompute(of_value.stands->says))) return;
    Saying says = *of_value.stands;
    if (is_kept) says.says = CheckpointPolicy::PreferRecompute;
    graph_[id].meta.recompute = says.says;
    outcome_.reasons.add_follower(graph_[id].name, says,
                                  fmt::format("a view or a name of '{}'", graph_[value].name));
  }

  void tell(std::string warning) { outcome_.warnings.push_back(std::move(warning)); }

  void keep_reason(NodeId id) {
    Standing& standing = standings_[index_of(id)];
    outcome_.reasons.add(graph_[id].name, *standing.stands, std::move(standing.overrode));
  }

  const Speaker& speaker_of(const Standing& standing) const { return speakers_[standing.stands->speaker]; }
  bool is_permission(const Standing& standing) const { return speaker_of(standing).is_permission; }
  bool is_otherwise(const Standing& standing) const { return rule_of(*standing.stands, speakers_) == kOtherwise; }

  Graph& graph_;
  const Users users_;
  const std::vector<bool>& is_subject_;
  const std::vector<NodeId>& same_;
  const std::vector<NodeId>& wholes_;
  const std::vector<std::string>& names_;
  const std::vector<Speaker> speakers_;
  std::vector<Standing> standings_;
  std::vector<bool> kept_;
  const BackwardReach reach_;
  PolicyOutcome outcome_{PolicyReasons(speakers_), {}, false};
};

}  // namespace

PolicyOutcome tag_nodes(JointGraph& joint, const TaggedSubjects& subjects, std::vector<Speaker> speakers,
                        std::vector<Standing> standings) {
  return Tagging(joint, subjects, std::move(speakers), std::move(standings)).run();
}

}  // namespace fxcut
