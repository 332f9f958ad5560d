// Floating point operations, counted independently of the report.
//
// A contraction needs a multiplication and an addition for each combination of its indices, so the product of matrices
// (m, k) and (k, n) counts 2 m k n: a table has each operator's indices in einsum notation. A convolution counts two
// operations for each weight at each position of its window, in each sample.
#pragma once

#include "graph/graph.h"
#include "graph/int128.h"

namespace fxcut {

// The FLOPs of a call by the rules of that release's torch.utils.flop_counter; 1 if these do not count it, or its
// arguments do not fit the operator. Symbolic sizes count as their hints, and no count is above 2^100.
Int128 count_flops(const Graph& graph, const Node& call, Release release);

}  // namespace fxcut
