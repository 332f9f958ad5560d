// What holds of a written graph by itself, and of the graphs nested in it.
#pragma once

#include <string>
#include <vector>

#include "json_graph.h"

namespace fxcut {

// What is wrong, a sentence each that begins with `side`; empty where all holds:
// - nodes have names of their own and take earlier nodes only, and the output node is the last;
// - each get_attr finds what it refers to in the graph, and each nested graph is referred to;
// - a control_deps hands its subgraph as many values as that takes, and no item is taken that the subgraph does not
//   return.
std::vector<std::string> verify_graph(const std::string& side, const Json& graph);

}  // namespace fxcut
