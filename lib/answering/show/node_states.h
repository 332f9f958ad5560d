// Where each node of a graph runs, and what becomes of its value.
//
// Of a joint graph: what the outputs of the forward and the saved values are computed from runs in the forward, all
// else in the backward; what the decision lists as recomputed runs in both. Of the forward or the backward alone, what
// is saved stands among its outputs or inputs.
#pragma once

#include <optional>
#include <vector>

#include "extract/plan_extraction.h"
#include "graph/graph.h"
#include "read/read_graph.h"
#include "show/decision.h"

namespace fxcut {

enum class NodeState : std::uint8_t { Forward, Backward, Saved, Recomputed, Offloaded, Unused };

struct DrawnNode {
  Side side = Side::Forward;  // where it is drawn
  NodeState state = NodeState::Forward;
};

// By node of the graph. Without a decision nothing of a joint graph is saved or recomputed.
std::vector<DrawnNode> node_states(const JointGraph& joint, GraphForm form,
                                   const std::optional<DecisionNames>& decision);

// "forward", "saved", "recomputed": for people.
std::string_view name_of(NodeState state);

}  // namespace fxcut
