#include "report/reasons.h"

#include <fmt/format.h>

#include <algorithm>

#include "classify/purity.h"
#include "graph/rebuild.h"

namespace fxcut {

namespace {

Why saved_by_default(const Node& node) {
  if (node.has_symbol()) {
    return {"symbol", "the default partitioner saves every symbolic number of the forward"};
  }
  if (node.meta.recompute == CheckpointPolicy::MustSave) {
    return {"must_save", "tagged MUST_SAVE, or enters a region that is recomputed"};
  }
  if (node.is_call() && is_impure(node)) {
    return {"side_effect", "its operator has a side effect, which must happen once"};
  }
  return {
      "taken_by_backward", "the default partitioner saves the forward values that the backward uses"};
}

// Where the inputs are saved whatever a cut says.
Why with_the_inputs(const SavedValues& choice, std::string_view what) {
  const bool is_zero = choice.budget == 0;
  const std::string_view how =
      is_zero ? "with a memory budget of 0" : "the memory budget finds no costly value to choose among:";
  return {is_zero ? "budget_zero" : "nothing_to_choose", fmt::format("{} {}", how, what)};
}

Why saved_with_the_inputs(const SavedValues& choice, const Node& node) {
  if (node.meta.recompute == CheckpointPolicy::MustSave) {
    return {"must_save", "not recomputed: marked MUST_SAVE"};
  }
  return with_the_inputs(choice, choice.budget == 0 ? "just the inputs are saved" : "the inputs are saved");
}

}  // namespace

Reasons::Reasons(const JointGraph& joint, const SavedValues& choice, const PolicyOutcome& wanted)
    : joint_(joint), choice_(choice), wanted_(wanted) {
  if (!choice.bans.empty()) find_roots();
}

void Reasons::find_roots() {
  const Graph& graph = joint_.graph;
  root_.assign(graph.size(), kNoNode);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (choice_.bans[i] != Ban::None) root_[i] = node_id(i);
    for (const NodeId input : graph.nodes[i].inputs) {
      if (root_[i] != kNoNode) break;
      if (!choice_.in_backward[index_of(input)]) root_[i] = root_[index_of(input)];
    }
  }
}

std::optional<Wide> Reasons::cost_of(NodeId id) const {
  if (choice_.frontier) return std::nullopt;  // it weighs storages, not values
  const SavingCost& saving = choice_.costs[index_of(id)];
  return saving.unsavable == Unsavable::No ? std::optional<Wide>(saving.cost) : std::nullopt;
}

Why Reasons::of_saved(NodeId id) const { return with_policy(id, of_kept(id)); }
Why Reasons::of_recomputed(NodeId id) const { return with_policy(id, of_run_again(id)); }

// Whether the frontier solver, which tags what it recomputes, tagged the node and not the user.
bool Reasons::frontier_decided(NodeId id) const {
  return choice_.frontier && choice_.ties[index_of(id)] != Tie::MustBeRecomputed;
}

// A policy's word before all others, where one spoke of the node.
Why Reasons::with_policy(NodeId id, Why why) const {
  why.policy = wanted_.reasons.of(joint_.graph[id].name);
  if (why.policy && why.policy->says != CheckpointPolicy::PreferSave) {
    why.reason = "policy";
    why.text = fmt::format("{} by policy '{}' ({})", name_of(why.policy->says), why.policy->policy, why.policy->rule);
  }
  return why;
}

Why Reasons::of_kept(NodeId id) const {
  if (choice_.is_replayed) return {"decision", "saved by the decision that is replayed"};
  if (choice_.mended.contains(id)) {
    return {"sound", "saved besides: computed again, something on the way would be another value"};
  }
  if (choice_.partitioner == Partitioner::Default) return saved_by_default(joint_.graph[id]);
  if (choice_.saves_inputs) return saved_with_the_inputs(choice_, joint_.graph[id]);
  const Ban ban = choice_.bans[index_of(id)];
  const std::string reason(name_of(ban));
  if (ban == Ban::PrimalInput || ban == Ban::ForwardSeed) {
    return {reason, std::string(phrase_for(ban)), cost_of(id)};
  }
  if (ban != Ban::None) return {reason, fmt::format("not recomputed: {}", phrase_for(ban)), cost_of(id)};
  if (choice_.frontier)
    return {"frontier", "its storage is held, so that it is not recomputed"};
  const NodeId root = root_[index_of(id)];
  if (root == kNoNode) return {"cheapest_cut", "cheapest to save here", cost_of(id)};
  return {"cheapest_cut",
          fmt::format("the cheapest to save on a path from {}, which is not recomputed: {}", joint_.graph[root].name,
                      phrase_for(choice_.bans[index_of(root)])),
          cost_of(id)};
}

Why Reasons::of_run_again(NodeId id) const {
  const Node& node = joint_.graph[id];
  if (choice_.is_replayed) return {"decision", "recomputed by the decision that is replayed"};
  if (node.must_recompute() && !frontier_decided(id)) {
    const bool must = node.meta.recompute == CheckpointPolicy::MustRecompute;
    return {"checkpoint_policy",
            fmt::format("its checkpoint policy is {}", must ? "MUST_RECOMPUTE" : "PREFER_RECOMPUTE")};
  }
  if (is_impure(node)) return {"side_effect", "runs on both sides for its side effect"};
  if (choice_.saves_inputs) return with_the_inputs(choice_, "all but the inputs is recomputed");
  if (choice_.partitioner == Partitioner::Default) {
    return {"not_saved_by_default",
            "of a kind, or at a place behind the forward, that the default partitioner does not save"};
  }
  switch (choice_.costs[index_of(id)].unsavable) {
    case Unsavable::NonTensor:
      return {"not_a_tensor", "its value is no tensor, so only what is taken out of it can be saved"};
    case Unsavable::View: return {"view", "a view: free to recompute, and recompute_views is set"};
    case Unsavable::Replayed:
      return {"replayed_mutation", std::string(phrase_for(Unsavable::Replayed))};
    case Unsavable::No: break;
  }
  if (choice_.frontier)
    return {"frontier", "recomputed, so that what is saved stays within the limit"};
  return {"cheaper_to_recompute", "its inputs are saved in any case, or cost less to save", cost_of(id)};
}

Why Reasons::of_symbol(NodeId id) const {
  const bool cut_saved_it = std::find(choice_.saved.begin(), choice_.saved.end(), id) != choice_.saved.end();
  if (cut_saved_it) return of_saved(id);
  return {"binds_symbol", "a size of the backward's inputs is made of it"};
}

}  // namespace fxcut
