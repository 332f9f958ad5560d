// A backward graph as inductor traces it once more before it lowers it (torch/_inductor/compile_fx.py, fake_tensor_prop).
//
// The compiled forward makes saved values with strides of its own, channels last where there are convolutions. AOTAutograd has
// the backward compiled for these (_aot_stage2b_bw_compile), and what is computed of them follows, by the rules of PyTorch's
// fake tensors: elementwise operators keep the order of their inputs' dimensions, convolutions and pooling keep channels last,
// views change strides, and what is no view of such a tensor any more becomes a contiguous copy.
#pragma once

#include <string_view>
#include <unordered_map>

#include "graph/graph.h"
#include "inductor/accesses.h"

namespace fxcut {

using StridesByName = std::unordered_map<std::string_view, Extents>;

// The graph with other strides of its inputs, and of what follows from them. Linear in the graph.
Graph retraced(Graph graph, const StridesByName& inputs);

}  // namespace fxcut
