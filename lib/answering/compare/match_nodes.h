// Finds the same nodes in two graphs whose nodes may be numbered differently.
//
// First equal expressions at the same place of the model: the hash of a call is that of its operator, its constants and
// the hashes of its inputs, down to the inputs of the graph, of which only kind, dtype and sizes count. That finds
// everything before the first change. Later expressions differ although their calls are the same, so these follow:
//
//   - the same operator and extent in the same module,
//   - from each pair to its inputs, by position, and to its users,
//   - match_values for the rest (match_values.h).
//
// Inputs are found by their users: all weights of one shape are alike otherwise.
#pragma once

#include <vector>

#include "compare/compared_value.h"
#include "compare/match_values.h"
#include "graph/graph.h"

namespace fxcut {

// `values_...`: the nodes of each graph as values to compare.
Matching match_nodes(const Graph& before, const Graph& after, const std::vector<ComparedValue>& values_before,
                     const std::vector<ComparedValue>& values_after);

}  // namespace fxcut
