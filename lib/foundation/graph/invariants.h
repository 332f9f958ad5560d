// What holds of every graph, whatever stage has made it.
//
//   - Names are not empty, and each is one node's.
//   - Execution order is topological: a node takes nodes that exist and stand before it.
//   - A node has an input for each reference in its arguments, and no others.
//   - A call has a callee.
//   - The output is the last node, and the only one.
//   - The users of a node are those that take it, each once, in execution order.
#pragma once

#include <string_view>

#include "graph/graph.h"

namespace fxcut {

// Throws InternalError that says after which stage what does not hold of which node.
void check_invariants(std::string_view stage, const Graph& graph);

}  // namespace fxcut
