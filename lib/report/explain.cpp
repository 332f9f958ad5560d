#include "report/explain.h"

#include <algorithm>

#include "classify/purity.h"

namespace fxcut {
namespace {

std::string sentence(std::string_view text) { return std::string(text); }

std::optional<Wide> cost_of(const SavedValues& choice, NodeId id) {
  const SavingCost& saving = choice.costs[index_of(id)];
  return saving.unsavable == Unsavable::No ? std::optional<Wide>(saving.cost) : std::nullopt;
}

}  // namespace

Why why_saved(const JointGraph&, const SavedValues& choice, NodeId id) {
  if (choice.cuts.empty()) return {"budget_zero", "with a memory budget of 0 just the inputs are saved", std::nullopt};
  const Ban ban = choice.bans[index_of(id)];
  if (ban == Ban::PrimalInput || ban == Ban::ForwardSeed) {
    return {std::string(name_of(ban)), sentence(phrase_for(ban)), cost_of(choice, id)};
  }
  if (ban != Ban::None) {
    return {std::string(name_of(ban)), "not recomputed: " + sentence(phrase_for(ban)), cost_of(choice, id)};
  }
  return {"cheapest_cut", "could be recomputed, but saving it costs less than saving what that takes", cost_of(choice, id)};
}

Why why_recomputed(const JointGraph& joint, const SavedValues& choice, NodeId id) {
  const Node& node = joint.graph[id];
  if (node.must_recompute()) {
    const bool must = node.meta.recompute == CheckpointPolicy::MustRecompute;
    return {"checkpoint_policy", std::string("its checkpoint policy is ") + (must ? "MUST_RECOMPUTE" : "PREFER_RECOMPUTE"),
            std::nullopt};
  }
  if (is_impure(node)) return {"side_effect", "runs on both sides for its side effect", std::nullopt};
  if (choice.cuts.empty()) {
    return {"budget_zero", "with a memory budget of 0 all but the inputs is recomputed", std::nullopt};
  }
  const SavingCost& saving = choice.costs[index_of(id)];
  switch (saving.unsavable) {
    case Unsavable::NonTensor:
      return {"not_a_tensor", "its value is no tensor, so only what is taken out of it can be saved", std::nullopt};
    case Unsavable::View: return {"view", "a view: free to recompute, and recompute_views is set", std::nullopt};
    case Unsavable::No: break;
  }
  return {"cheaper_to_recompute", "what it is computed from is saved anyway, or costs less to save", saving.cost};
}

Why why_bound(const JointGraph& joint, const SavedValues& choice, NodeId id) {
  const bool cut_saved_it = std::find(choice.saved.begin(), choice.saved.end(), id) != choice.saved.end();
  if (cut_saved_it) return why_saved(joint, choice, id);
  return {"binds_symbol", "a size of the backward's inputs is made of it", std::nullopt};
}

}  // namespace fxcut
