// A graph as text, in forms of PyTorch and as a summary.
#pragma once

#include <iosfwd>
#include <string>

#include "graph/graph.h"
#include "json/document.h"
#include "read/read_graph.h"
#include "show/graph_code.h"

namespace fxcut {

// A summary with counts and bytes: inputs and outputs, operators, modules, tags and symbols, the larger ones first. Memory counts
// each storage once, at the node that computes it; symbolic sizes count as their hints.
std::string graph_summary(const JointGraph& joint, GraphForm form);

// Writes a table in the format of PyTorch's Graph.print_tabular: a row for each node, in the columns of the package tabulate.
// Addresses, which PyTorch prints for functions without a text of their own, are left out.
void write_graph_table(const Graph& graph, std::ostream& out);

// The text of print_readable(print_output=False); `style.notes` is not used. `document` is the graph's file, which contains
// the user's annotations of nodes.
std::string readable_code(const JointGraph& joint, const Document& document, const CodeStyle& style);

}  // namespace fxcut
