// Calls that hand on memory which is there already.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// Whether the call waits for its first argument and returns it, though the trace of a collective may say otherwise.
bool waits_for_argument(const Node& call);

// Whether the call computes nothing: a view, an item of a tuple, or a wait. A call that writes to an input computes.
bool computes_nothing(const Graph& graph, const Node& call);

}  // namespace fxcut
