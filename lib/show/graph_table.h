// A graph as Graph.print_tabular prints it in PyTorch: a row a node, in the columns that the package tabulate makes.
#pragma once

#include <string>

#include "graph/graph.h"

namespace fxcut {

// The table, each line ended. Addresses, which PyTorch prints of functions without a text of their own, are left out.
std::string graph_table(const Graph& graph);

}  // namespace fxcut
