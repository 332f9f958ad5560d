// What it costs to run a node once more.
#pragma once

#include "graph/graph.h"
#include "graph/wide.h"

namespace fxcut {

// The floating point operations of the call as PyTorch's torch.utils.flop_counter counts them: matrix products,
// convolutions and attention by their shapes, sizes by their hints; at least 1, which is also what everything else counts.
Wide estimate_flops(const Graph& graph, const Node& node, Release release);

// Whether the FLOP counter knows the operator.
bool has_flop_formula(const Operator& op, Release release);

}  // namespace fxcut
