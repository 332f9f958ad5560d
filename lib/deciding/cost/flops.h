// The FLOPs of a node.
#pragma once

#include "graph/graph.h"
#include "graph/wide.h"

namespace fxcut {

// The floating point operations of the call by PyTorch's torch.utils.flop_counter: matrix products, convolutions and
// attention by their shapes, sizes by their hints; at least 1, which is also the count of all other operators.
Wide estimate_flops(const Graph& graph, const Node& node, Release release);

// Whether the FLOP counter has a formula for the operator.
bool has_flop_formula(const Operator& op, Release release);

}  // namespace fxcut
