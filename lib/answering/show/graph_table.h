// A graph as Graph.print_tabular prints it in PyTorch: a row a node, in the columns that the package tabulate makes.
#pragma once

#include <iosfwd>

#include "graph/graph.h"

namespace fxcut {

// Writes the table, each line ended. Addresses, which PyTorch prints of functions without a text of their own, are left
// out.
void write_graph_table(const Graph& graph, std::ostream& out);

}  // namespace fxcut
