// Random operators in both graphs, which have to draw the same numbers.
#pragma once

#include <cstddef>

#include "graph/graph.h"
#include "graph/naming.h"

namespace fxcut {

// Whether the backward has a position for states: a gradient among its inputs with "tangent" in its name.
bool can_save_random_states(const Graph& joint);

struct RandomForm {
  bool graph_safe = true;
  bool renames_output = false;  // the forward's output is a new node even if there is no state to return
};

// Wraps each random operator that is in both graphs and tagged to be recomputed (PyTorch's functionalize_rng_ops). On
// CUDA, if graph-safe and a single device, both sides use a generator that is a new input
// (graphsafe_run_with_rng_state). Otherwise the forward returns the generator's state before the operator, ahead of its
// last `num_symbols` outputs, and the backward uses that state (run_and_save_rng_state, run_with_rng_state). Throws
// Failure (NoPartition) if the backward has no gradient.
GraphPair functionalize_rng(const GraphPair& graphs, NamespacePair& names, RandomForm form, std::size_t num_symbols);

// A region that was partitioned by itself has generators as inputs ("fwd_rng_state_0") that its caller does not pass
// yet. Adds them to each invoke_subgraph call, and their placeholders to the graph (PyTorch's
// thread_graphsafe_rng_from_hops). `prefix` is "fwd_rng_state" or "bwd_rng_state".
Graph pass_generators(Graph graph, const Subgraphs& subgraphs, std::string_view prefix, Namespace names);

}  // namespace fxcut
