// Checkpointed regions that are still calls.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// The graph with each higher_order.tag_activation_checkpoint call replaced by the body of its subgraph, whose nodes are
// tagged PREFER_RECOMPUTE, unless they have a tag, and as a region of their own (as PyTorch's AOTAutograd does when it
// traces such a call). A body's nodes get names that the graph does not have. Throws Failure (NoPartition) where a call
// has no subgraph, or another number of arguments than that takes.
JointGraph inline_checkpoints(JointGraph joint);

}  // namespace fxcut
