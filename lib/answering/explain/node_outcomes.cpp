#include "explain/node_outcomes.h"

#include <fmt/format.h>

#include <utility>

#include "classify/purity.h"

namespace fxcut {

NodeOutcomes::NodeOutcomes(const Decision& decision)
    : NodeOutcomes(decision, plan_forward_backward(decision.joint, decision.users, decision.roles, decision.choice.saved)) {}

NodeOutcomes::NodeOutcomes(const Decision& decision, ForwardBackward sides)
    : graph_(decision.joint.graph),
      sides_(std::move(sides)),
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

Why why_forward_only(const Decision& decision, NodeId id, const std::vector<NodeId>& path) {
  if (path.empty()) return {"not_needed_in_backward", "the backward needs nothing that is computed from it"};
  const NodeFacts* facts = node_facts(decision.choice);
  const Ban ban = facts ? facts->bans[index_of(id)] : Ban::None;
  const std::string further_on = fmt::format("its use in the backward is covered by the saved value '{}'",
                                             decision.joint.graph[path.back()].name);
  if (ban == Ban::None) return {"saved_further_on", further_on};
  return {std::string(name_of(ban)), fmt::format("not recomputed: {}; {}", phrase_for(ban), further_on)};
}

Why why_backward_only(const Decision& decision, NodeId id) {
  const Node& node = decision.joint.graph[id];
  if (is_tangent(node)) return {"gradient", "a gradient, an input of the backward"};
  if (node.is_placeholder()) return {"backward_input", "an input of the backward alone"};
  if (must_be_in_backward(node)) return {"must_be_in_backward", "its tag or its operator ties it to the backward"};
  if (decision.roles.tangents_closure[index_of(id)]) {
    return {"depends_on_gradient", "it depends on a gradient, so that only the backward can compute it"};
  }
  return {"only_backward_needs_it", "no output of the forward needs it, and its inputs are there in the backward"};
}

Why why_removed(NodeOutcome outcome, const std::string& same_as) {
  switch (outcome) {
    case NodeOutcome::Merged:
      return {"common_subexpression",
              fmt::format("the same as '{}', which calls the same operator with equal arguments", same_as)};
    case NodeOutcome::Inlined:
      return {"checkpointed_region", "a checkpointed region is decided node by node: explain the nodes of its body"};
    case NodeOutcome::OnNeitherSide: return {"not_needed", "its users are saved, or not needed"};
    case NodeOutcome::OnBothSides: return {"constant", "a constant, which needs no computation"};
    case NodeOutcome::Result: return {"result", "each side returns its part of it"};
    default: return {"dead_code", "nothing that is returned or has a side effect needs it"};
  }
}

}  // namespace fxcut
