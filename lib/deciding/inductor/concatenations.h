// Concatenations that are written term by term (torch/_inductor/ir.py, ConcatKernel).
#pragma once

#include "inductor/lowered_values.h"

namespace fxcut {

// Whether inductor on a GPU computes the concatenation in the kernels that read it (lowering.py, cat): where a term need not be
// stored then, or all would be copied.
bool is_inlined(LoweredValues& values, const Graph& graph, NodeId call);

// Adds what writes the terms, and a kernel that stands for the whole, which it holds. A term that nothing has fixed the layout
// of is written into its slice, others are copied there. The whole has channels last if a term that is stored has, and is then
// copied for readers that want its traced order.
void concatenate(LoweredValues& values, const Graph& graph, NodeId call, const Tensor& result);

}  // namespace fxcut
