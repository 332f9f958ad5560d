// Writes at computed places (torch/_inductor/lowering.py, index_put_impl_ and scatter_reduce_; utils.py, use_scatter_fallback;
// fx_passes/reinplace.py).
//
// The destination is copied, or filled if it is a constant, into a buffer of its own, unless it is not read any more; a kernel
// over the indices then overwrites that buffer. If several threads could add to one place, a library does it: scatter-adds, if
// inductor uses more than one thread. It also does if the indices are a mask. The library takes buffers.
#pragma once

#include "inductor/lowered_values.h"

namespace fxcut {

// Whether the call is a scatter with the arguments that PyTorch gives it, which nothing has checked in a graph from a file.
bool is_scatter(const Graph& graph, const Node& call);

// Whether the scatter writes one number wherever a mask is true: then it is an expression (index_put_as_masked_fill).
bool fills_where(const Graph& graph, const Node& call);

// Adds the kernels of a scatter, and holds its result: the buffer after they have run.
void scatter(LoweredValues& values, const Graph& graph, NodeId call, const Tensor& result, const InductorRules& rules);

}  // namespace fxcut
