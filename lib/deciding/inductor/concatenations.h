// Concatenations that are written term by term (torch/_inductor/ir.py, ConcatKernel); so are paddings in newer releases, whose
// last term is the filling.
#pragma once

#include <span>

#include "inductor/lowered_values.h"

namespace fxcut {

// Whether inductor on a GPU computes the concatenation in the kernels that read it (lowering.py, cat): where a term need not be
// stored then, or all would be copied. `spares_shared`: it is not where others read a term as well.
bool is_inlined(LoweredValues& values, const Graph& graph, NodeId call, std::span<const LoweredValue> terms, bool spares_shared);

// Adds what writes the terms, and a kernel that stands for the whole, which it holds. A term that nothing has fixed the layout
// of is written into its slice, others are copied there. The whole has channels last if a term that is stored has, and is then
// copied for readers that want its traced order.
void concatenate(LoweredValues& values, const Graph& graph, NodeId call, std::span<const LoweredValue> terms,
                 const Tensor& result);

}  // namespace fxcut
