// Checkpointed regions that are still calls.
#pragma once

#include "classify/bodies.h"
#include "graph/graph.h"

namespace fxcut {

// The graph with each such call (kCheckpointCall) replaced by the body of its subgraph, whose nodes are tagged
// PREFER_RECOMPUTE, unless they have a tag, and as a region of their own (as PyTorch's AOTAutograd does when it traces
// such a call). A body's nodes get names that the graph does not have. Calls whose subgraph the graph does not hold
// stay. Throws Failure (NoPartition) where a call has another number of arguments than its body takes.
JointGraph inline_checkpoints(JointGraph joint);

}  // namespace fxcut
