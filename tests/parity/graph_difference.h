// Whether a graph that was written is the one that PyTorch made.
#pragma once

#include <string>
#include <unordered_set>

#include "json_graph.h"

namespace fxcut {

// The first difference between two lists of nodes, as a sentence; empty if there is none. Compared node by node:
// name, op, target (a placeholder's does not count), positional and keyword arguments; in the output node, tuples and
// lists are one. Nodes that `joint_names` does not have were made by the partitioner and may have other names: the i-th
// of ours is the i-th of PyTorch's, and references to it are read so.
std::string first_difference(const Json& pytorch, const Json& ours,
                             const std::unordered_set<std::string>& joint_names);

}  // namespace fxcut
