#include "explain/fates.h"

namespace fxcut {

Fates::Fates(const Decision& decision)
    : graph_(decision.joint.graph),
      sides_(plan_forward_backward(decision.joint, decision.users, decision.roles, decision.choice.saved)),
      crosses_(graph_.size(), false) {
  const Crossing& crossing = sides_.crossing;
  for (const auto* crossed : {&crossing.values, &crossing.opaques, &crossing.symbols}) {
    for (const NodeId id : *crossed) crosses_[index_of(id)] = true;
  }
}

// An input counts as running on the side that the step gives it to.
bool Fates::runs(const ExtractionPlan& side, NodeId id) const {
  return side.stays[index_of(id)] && !(&side == &sides_.backward && crosses(id));
}

Fate Fates::of(NodeId id) const {
  if (graph_[id].is_output()) return Fate::Result;
  if (crosses(id)) return Fate::Saved;
  const bool forward = runs_in_forward(id), backward = runs_in_backward(id);
  if (forward && backward) return graph_[id].is_call() ? Fate::Recomputed : Fate::OnBothSides;
  if (forward) return Fate::ForwardOnly;
  if (backward) return Fate::BackwardOnly;
  return graph_[id].is_placeholder() && is_primal(graph_[id]) ? Fate::ForwardOnly : Fate::OnNeitherSide;
}

}  // namespace fxcut
