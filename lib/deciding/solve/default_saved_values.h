// The values that PyTorch's default partitioner saves.
#pragma once

#include "graph/graph.h"
#include "solve/saved_values.h"

namespace fxcut {

// Every value of the forward that a node outside of it uses, and every symbolic number (the loop of PyTorch's
// default_partition), in execution order. The forward is the nodes up to the last input or node tagged is_forward; in older
// releases what the forward's outputs need.
// `has_regions`: some node was tagged to be recomputed. Throws Failure (NoPartition) if a value is not a tensor, or if
// a graph with checkpointed regions has side effects.
SavedValues default_saved_values(const JointGraph& joint, const Users& users, const Roles& roles, bool has_regions);

}  // namespace fxcut
