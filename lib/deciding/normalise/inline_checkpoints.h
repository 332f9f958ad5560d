// Checkpointed regions that are still calls.
#pragma once

#include <string_view>

#include "graph/graph.h"

namespace fxcut {

// The operator that runs a checkpointed region.
inline constexpr std::string_view kCheckpointCall = "higher_order.tag_activation_checkpoint";

// The graph with each call of that operator replaced by the body of its subgraph, whose nodes are tagged
// PREFER_RECOMPUTE, unless they have a tag, and as a region of their own (as PyTorch's AOTAutograd does when it traces
// such a call). A body's nodes get names that the graph does not have. Calls whose subgraph the graph does not hold
// stay. Throws Failure (NoPartition) where a call has another number of arguments than its body takes.
JointGraph inline_checkpoints(JointGraph joint);

}  // namespace fxcut
