// The FLOPs of a node.
#pragma once

#include "graph/graph.h"
#include "graph/int128.h"

namespace fxcut {

// The floating point operations of the call by PyTorch's torch.utils.flop_counter: matrix products, convolutions and
// attention by their shapes, sizes by their hints; at least 1, which is also the count of all other operators.
Int128 estimate_flops(const Graph& graph, const Node& node, Release release);

// The floating point operations for estimates of run time, in any release: what the newest FLOP counter counts, and
// flex_attention, which it counts as 1, ignoring its mask. 1 for operators other than products and attention.
Int128 arithmetic_of(const Graph& graph, const Node& call);

// Whether the call is attention, fused into one operator, or its backward.
bool is_attention(const Operator& op);

// The operand of a product, whose dtype may differ from the result's: the first tensor that the call takes, otherwise its own.
const Tensor* multiplied_tensor(const Graph& graph, const Node& call);

// Whether the FLOP counter has a formula for the operator.
bool has_flop_formula(const Operator& op, Release release);

}  // namespace fxcut
