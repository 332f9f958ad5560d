// Concatenations that are written term by term (torch/_inductor/ir.py, ConcatKernel), and in newer releases paddings, whose last
// term is the filling.
#pragma once

#include <span>

#include "inductor/lowered_values.h"

namespace fxcut {

// Whether inductor on a GPU computes the concatenation in the kernels that read it (lowering.py, cat): if a term then need not be
// stored, or all would be copied. `spares_shared`: not if others read a term as well.
bool is_inlined(LoweredValues& values, const Graph& graph, NodeId call, std::span<const LoweredValue> terms, bool spares_shared);

// Adds the kernels that write the terms, and one that stands for the whole and holds it. A term whose layout is not fixed is
// written into its slice, others are copied there. The whole is channels-last if a stored term is, and is then copied for readers
// that want its traced order.
void concatenate(LoweredValues& values, const Graph& graph, NodeId call, std::span<const LoweredValue> terms,
                 const Tensor& result);

}  // namespace fxcut
