// Common subexpressions: calls of one operator with equal arguments become one node.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// The graph with repeated calls merged into their first (PyTorch's fx_graph_cse). Never merged: placeholders, get_attr,
// random operators, aten.empty, and what shares memory with an output. Calls on either side of a mutation stay apart.
// What else does depends on the release: see the Cse changes in release/release.cpp. Who was merged into whom joins the
// graph's `repeats`.
//
// The merge goes through a table keyed like PyTorch's, by operator and by Python's hash of the arguments, and with its
// property that only the first call of a bucket is ever compared with, until a mutation replaces it. Python's hash of
// -1 is that of -2, so of sums over [-1], [-2] and [-2] all three stay: the bucket's first is the one over [-1].
JointGraph merge_common_subexpressions(JointGraph joint);

}  // namespace fxcut
