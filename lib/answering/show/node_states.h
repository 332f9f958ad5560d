// The side and the state of each node of a graph.
//
// In a joint graph the outputs of the forward and the saved values, with everything that they are computed from, are in the
// forward, everything else is in the backward; values that the decision lists as recomputed are in both. In the forward or the
// backward alone saved values are outputs or inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "extract/plan_extraction.h"
#include "graph/graph.h"
#include "read/read_graph.h"
#include "show/decision_names.h"

namespace fxcut {

enum class NodeState : std::uint8_t { Forward, Backward, Saved, Recomputed, Offloaded, Compressed, Unused };

constexpr bool is_saved(NodeState state) {
  return state == NodeState::Saved || state == NodeState::Offloaded || state == NodeState::Compressed;
}

struct DrawnNode {
  Side side = Side::Forward;  // that it is drawn on
  NodeState state = NodeState::Forward;
  std::int64_t held_bytes = 0;  // that saving its value holds
};

// By node of the graph. Without a decision no value of a joint graph is saved or recomputed.
std::vector<DrawnNode> node_states(const JointGraph& joint, GraphForm form, const std::optional<DecisionNames>& decision);

// Its name in the picture: "forward", "saved", "recomputed".
std::string_view name_of(NodeState state);

}  // namespace fxcut
