// What PyTorch's default partitioner saves.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// Every value of the forward that a node outside of it takes, and every symbolic number (the loop of PyTorch's
// default_partition). The min cut hands graphs over to it whose backward needs nothing: then only what runs on both sides
// for its side effect, such as a check, takes anything. The forward is the nodes up to the last input or node tagged
// is_forward. Throws Failure (NoPartition) where a value is no tensor, or where side effects meet checkpointed regions.
std::vector<NodeId> default_saved_values(const JointGraph& joint, const Users& users);

}  // namespace fxcut
