// Whether a graph only computes, apart from new values for its inputs.
#pragma once

#include "diagnostic/diagnostic.h"
#include "graph/graph.h"

namespace fxcut {

// The first node that writes elsewhere than into an input (PyTorch's _is_functional_graph): an operator with a mutable
// schema other than copy_ and set_ (and, in newer releases, shallow_copy_data_), or one of these whose first argument
// is no placeholder.
std::optional<NodeId> find_mutation(const JointGraph& joint);

// Whether PyTorch's default partitioner hands the graph over to the min cut: regions are to be recomputed, and it is
// not functional, so recomputing could see other values.
bool must_fall_back_to_min_cut(const JointGraph& joint);

// PyTorch's partitioners hand such a graph to each other without end: its backward needs nothing, so the min cut has
// nothing to cut, and must_fall_back_to_min_cut holds however often the tags are cleaned up.
Failure neither_partitioner_decides(const JointGraph& joint);

}  // namespace fxcut
