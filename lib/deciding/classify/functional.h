// Whether a graph is functional, except for new values of its inputs.
#pragma once

#include "diagnostic/diagnostic.h"
#include "graph/graph.h"

namespace fxcut {

// The first node that does not only write to an input (PyTorch's _is_functional_graph): an operator with a mutable
// schema other than copy_ and set_ (and, in newer releases, shallow_copy_data_), or one of these whose first argument
// is not a placeholder.
std::optional<NodeId> find_mutation(const JointGraph& joint);

// Whether PyTorch's default partitioner passes the graph to the min cut: regions are to be recomputed, and it is not
// functional, so recomputation could read other values.
bool must_fall_back_to_min_cut(const JointGraph& joint);

// The error for a graph that PyTorch's partitioners pass to each other without end: its backward needs nothing, so
// there is nothing to cut, and must_fall_back_to_min_cut is true however often the tags are cleaned up.
Failure neither_partitioner_decides(const JointGraph& joint);

}  // namespace fxcut
