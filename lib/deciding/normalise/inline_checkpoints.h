// Checkpointed regions that are calls.
#pragma once

#include "classify/bodies.h"
#include "graph/graph.h"

namespace fxcut {

// The graph with each such call (kCheckpointCall) replaced by the body of its subgraph, whose nodes become a region of
// their own and are tagged PREFER_RECOMPUTE, unless they have a tag (as PyTorch's AOTAutograd does when it traces such
// a call). A body's nodes get new names. Calls without a subgraph in the graph stay. Throws Failure (NoPartition) if a
// call has another number of arguments than its body.
JointGraph inline_checkpoints(JointGraph joint);

}  // namespace fxcut
