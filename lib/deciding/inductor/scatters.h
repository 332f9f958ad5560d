// Writes at computed places (torch/_inductor/lowering.py, index_put_impl_ and scatter_reduce_; utils.py, use_scatter_fallback;
// fx_passes/reinplace.py).
//
// The tensor that is written to is copied, or filled if it is a constant, into a buffer of its own, unless it is read no more; a
// kernel over the indices then overwrites that buffer. Where several threads could add to one place, a library does: sums of a
// scatter, as inductor has it with more than one thread; and where the indices are a mask. It is given buffers.
#pragma once

#include "inductor/lowered_values.h"

namespace fxcut {

// Whether the call is one, with the arguments that PyTorch gives it: nobody has checked a graph in a file for those.
bool is_scatter(const Graph& graph, const Node& call);

// Whether the scatter writes one number wherever a mask is true: then it is an expression (index_put_as_masked_fill).
bool fills_where(const Graph& graph, const Node& call);

// Adds the kernels of a scatter, and holds its result: the buffer as it is when they have run.
void scatter(LoweredValues& values, const Graph& graph, NodeId call, const Tensor& result, const InductorRules& rules);

}  // namespace fxcut
