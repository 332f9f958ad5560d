// Common subexpressions: calls of one operator with equal arguments become one node.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// The graph with repeated calls merged into their first (PyTorch's fx_graph_cse). Never merged: placeholders, get_attr,
// random operators, aten.empty, and values that share memory with an output. Calls before and after a mutation are not
// merged with each other. Further exceptions depend on the release: see the Cse changes in release/release.cpp. Merged
// nodes are recorded in the graph's `repeats`.
//
// The merge uses a table with PyTorch's keys, by operator and by Python's hash of the arguments, and with its property
// that calls are compared only with the first of a bucket, until a mutation replaces it. Python's hash of -1 is that of
// -2, so of sums over [-1], [-2] and [-2] all three stay: the bucket's first is the one over [-1].
JointGraph merge_common_subexpressions(JointGraph joint);

}  // namespace fxcut
