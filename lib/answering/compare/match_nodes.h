// The same node in two graphs whose nodes may be numbered differently.
//
// First what is the same expression at the same place of the model: the hash of a call is that of its operator, its
// constants and the hashes of all that it takes, down to the inputs of the graph, of which only kind, dtype and sizes
// count. That finds all that lies before the first change. What comes after it is another expression though its calls
// are the same, so:
//
//   - the same operator and extent in the same module,
//   - from each pair to what it takes, by position, and to what takes it,
//   - what match_values makes of the rest (match_values.h).
//
// Inputs are found by their users: by themselves all weights of one shape look alike.
#pragma once

#include <vector>

#include "compare/compared_value.h"
#include "compare/matching.h"
#include "graph/graph.h"

namespace fxcut {

// `values_...`: the nodes of each graph as values to be compared.
Matching match_nodes(const Graph& before, const Graph& after, const std::vector<ComparedValue>& values_before,
                     const std::vector<ComparedValue>& values_after);

}  // namespace fxcut
