// A backward graph as inductor traces it again before lowering it (torch/_inductor/compile_fx.py, fake_tensor_prop).
//
// The compiled forward makes saved values with strides of its own, channels-last near convolutions. AOTAutograd compiles the
// backward for these (_aot_stage2b_bw_compile), and values computed from them follow by the rules of PyTorch's fake tensors:
// elementwise operators keep the order of their inputs' dimensions, convolutions and pooling keep channels last, views change
// strides, and a view that the new strides do not allow becomes a contiguous copy.
//
// Both graphs are traced anew, which discards strides left behind when operators were replaced, such as a softmax attention by a
// library call (fx_passes/fuse_attention.py). A copy that by then has the strides of its source is removed
// (fx_passes/post_grad.py, remove_noop_ops).
#pragma once

#include <string_view>
#include <unordered_map>

#include "graph/graph.h"
#include "inductor/accesses.h"

namespace fxcut {

using StridesByName = std::unordered_map<std::string_view, Extents>;

// Whether a view has strides other than its operator gives it.
bool is_stale(const Graph& graph);

// The graph with other strides of its inputs, and of the values that follow from them. Linear in the graph.
Graph retraced(Graph graph, const StridesByName& inputs);

}  // namespace fxcut
