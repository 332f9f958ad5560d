// The invariants of every graph, after any pass.
//
//   - Names are not empty and unique.
//   - Execution order is topological: the inputs of a node exist and are before it.
//   - A node has an input for each reference in its arguments, and no others.
//   - A call has a callee.
//   - The output is the last node, and the only one.
//   - The users of a node are those that use it, each once, in execution order.
#pragma once

#include <string_view>

#include "graph/graph.h"

namespace fxcut {

// Throws InternalError with the pass, the node and the violated invariant.
void check_invariants(std::string_view pass, const Graph& graph);

}  // namespace fxcut
