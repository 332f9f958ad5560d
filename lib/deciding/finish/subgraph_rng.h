// Generators that subgraphs expect.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "graph/naming.h"

namespace fxcut {

// A region that was partitioned by itself takes generators as inputs ("fwd_rng_state_0") that its caller does not pass
// yet. Gives each invoke_subgraph call what its subgraph expects, and the graph the placeholders for it (PyTorch's
// thread_graphsafe_rng_from_hops). `prefix` is "fwd_rng_state" or "bwd_rng_state".
Graph pass_generators(Graph graph, const Subgraphs& subgraphs, std::string_view prefix, Namespace names);

}  // namespace fxcut
