// Floating point operations, counted by verify for itself.
//
// A contraction takes a multiplication and an addition for each combination of its indices, so that the product of
// matrices (m, k) and (k, n) takes 2 m k n: a table gives each operator's indices, as einsum writes them. A convolution
// takes two operations for each weight at each position of its window, in each sample.
#pragma once

#include "graph/graph.h"
#include "graph/wide.h"

namespace fxcut {

// The FLOPs of a call by the rules of that release's torch.utils.flop_counter; 1 where these do not count it, or its
// arguments do not fit the operator. Symbolic sizes count as their hints, and no count is above 2^100.
Wide count_flops(const Graph& graph, const Node& call, Release release);

}  // namespace fxcut
