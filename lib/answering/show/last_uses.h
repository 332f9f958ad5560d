// Where each value is used last.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// By node: the values that no later node takes, in the order in which it takes them; its own where nobody does.
// None for placeholders and the output, behind which nothing is freed.
std::vector<std::vector<NodeId>> freed_after(const Graph& graph);

}  // namespace fxcut
