// Lowers a graph to kernels as inductor does: operator by operator, in order.
//
// A pointwise operator makes an expression, which is inlined into each reader and stored only for a reason: it is an output of
// the graph, a library call reads it, or it has several readers and is large, reads many buffers or is heavy
// (torch/_inductor/graph.py, GraphLowering.run_node; ir.py, StorageBox). A reduction is always stored, and library calls take
// buffers. Views change the access. A sum with a matrix product becomes one call, and the terms of a concatenation are written
// into it.
#pragma once

#include <utility>
#include <vector>

#include "inductor/accesses.h"
#include "inductor/kernels.h"

namespace fxcut {

struct LoweredGraph {
  Kernels program;
  std::vector<NodeId> copied_inputs;  // inputs that a convolution copies; the copy is saved in their place
  std::vector<std::pair<NodeId, Extents>> restrided;  // results of the graph whose strides differ from the traced ones
};

// Sizes by their hints. Linear in the graph except for expressions, whose size the rules bound.
LoweredGraph lower(const Graph& graph, const InductorRules& rules);

}  // namespace fxcut
