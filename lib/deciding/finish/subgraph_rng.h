// Generators for subgraphs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "graph/naming.h"

namespace fxcut {

// A region that was partitioned by itself has generators as inputs ("fwd_rng_state_0") that its caller does not pass
// yet. Adds them to each invoke_subgraph call, and their placeholders to the graph (PyTorch's
// thread_graphsafe_rng_from_hops). `prefix` is "fwd_rng_state" or "bwd_rng_state".
Graph pass_generators(Graph graph, const Subgraphs& subgraphs, std::string_view prefix, Namespace names);

}  // namespace fxcut
