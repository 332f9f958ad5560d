#include "explain/node_outcomes.h"

namespace fxcut {

NodeOutcomes::NodeOutcomes(const Decision& decision)
    : graph_(decision.joint.graph),
      sides_(plan_forward_backward(decision.joint, decision.users, decision.roles, decision.choice.saved)),
      crosses_(graph_.size(), false) {
  const Crossing& crossing = sides_.crossing;
  for (const auto* crossed : {&crossing.values, &crossing.opaques, &crossing.symbols}) {
    for (const NodeId id : *crossed) crosses_[index_of(id)] = true;
  }
}

// An input counts as running on the side that the step gives it to.
bool NodeOutcomes::runs(const ExtractionPlan& side, NodeId id) const {
  return side.stays[index_of(id)] && !(&side == &sides_.backward && crosses(id));
}

NodeOutcome NodeOutcomes::of(NodeId id) const {
  if (graph_[id].is_output()) return NodeOutcome::Result;
  if (crosses(id)) return NodeOutcome::Saved;
  const bool forward = runs_in_forward(id), backward = runs_in_backward(id);
  if (forward && backward) return graph_[id].is_call() ? NodeOutcome::Recomputed : NodeOutcome::OnBothSides;
  if (forward) return NodeOutcome::ForwardOnly;
  if (backward) return NodeOutcome::BackwardOnly;
  return graph_[id].is_placeholder() && is_primal(graph_[id]) ? NodeOutcome::ForwardOnly : NodeOutcome::OnNeitherSide;
}

}  // namespace fxcut
