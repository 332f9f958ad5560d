// From a graph to kernels, as inductor lowers it: operator by operator, in order.
//
// A pointwise operator makes an expression, which is inlined into each reader and never stored, until there is a reason: an
// output of the graph, a library's call as a reader, or several readers of an expression that is large, reads many buffers
// or is heavy (torch/_inductor/graph.py, GraphLowering.run_node; ir.py, StorageBox). A reduction is always stored, a
// library's call is given buffers. Views change the places that are read. A sum with a matrix product becomes one call, and the
// terms of a concatenation are written into it.
#pragma once

#include <utility>
#include <vector>

#include "inductor/accesses.h"
#include "inductor/kernels.h"

namespace fxcut {

struct LoweredGraph {
  Kernels program;
  std::vector<NodeId> copied_inputs;  // inputs of which a convolution takes a copy, which is saved in their place
  std::vector<std::pair<NodeId, Extents>> restrided;  // results of the graph with other strides than were traced
};

// Sizes by their hints. Linear in the graph except for expressions, whose size the rules bound.
LoweredGraph lower(const Graph& graph, const InductorRules& rules);

}  // namespace fxcut
