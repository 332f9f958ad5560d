// Calls that return existing memory.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// Whether the call waits for its first argument and returns it, even if a collective's trace has two storages.
bool waits_for_argument(const Node& call);

// Whether the call computes nothing: a view, an item of a tuple, or a wait. A call that writes to an input computes.
bool computes_nothing(const Graph& graph, const Node& call);

}  // namespace fxcut
