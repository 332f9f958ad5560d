// A backward graph as inductor traces it once more before it lowers it (torch/_inductor/compile_fx.py, fake_tensor_prop).
//
// The compiled forward makes saved values with strides of its own, channels last where there are convolutions. AOTAutograd has
// the backward compiled for these (_aot_stage2b_bw_compile), and what is computed of them follows, by the rules of PyTorch's
// fake tensors: elementwise operators keep the order of their inputs' dimensions, convolutions and pooling keep channels last,
// views change strides, and what is no view of such a tensor any more becomes a contiguous copy.
//
// Both graphs are traced anew, and so have none of the strides that a replacement of operators left behind, as that of a
// softmax's attention by a library's call does (fx_passes/fuse_attention.py). A copy that is in the strides of what it copies
// by then is removed (fx_passes/post_grad.py, remove_noop_ops).
#pragma once

#include <string_view>
#include <unordered_map>

#include "graph/graph.h"
#include "inductor/accesses.h"

namespace fxcut {

using StridesByName = std::unordered_map<std::string_view, Extents>;

// Whether a view has other strides than its operator gives it.
bool is_stale(const Graph& graph);

// The graph with other strides of its inputs, and of what follows from them. Linear in the graph.
Graph retraced(Graph graph, const StridesByName& inputs);

}  // namespace fxcut
