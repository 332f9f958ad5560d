// Random operators that run in the forward and again in the backward: both have to draw the same numbers.
#pragma once

#include <cstddef>

#include "graph/graph.h"
#include "graph/naming.h"

namespace fxcut {

// Whether the backward of the joint graph has a place for states: a gradient among its inputs that is named so.
bool can_save_random_states(const Graph& joint);

// Wraps each random operator that is tagged to be recomputed and stands in both graphs (PyTorch's
// functionalize_rng_ops). On CUDA, with `graph_safe` and a single device, both sides run under a generator that they
// receive as a new input (graphsafe_run_with_rng_state). Else the forward returns the generator's state from before the
// operator, in front of its last `num_symbols` outputs, and the backward runs under that state (run_and_save_rng_state,
// run_with_rng_state). Throws Failure (NoPartition) where the backward takes no gradient.
GraphPair functionalize_rng(const GraphPair& graphs, NamespacePair& names, bool graph_safe, std::size_t num_symbols);

}  // namespace fxcut
