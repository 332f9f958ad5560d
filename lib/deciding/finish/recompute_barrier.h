// Barriers that keep a compiler from undoing a recomputation.
#pragma once

#include <string>

#include "graph/graph.h"
#include "graph/naming.h"

namespace fxcut {

// The backward with a barrier on the inputs of every recomputed region: a connected set of calls that are also in the
// forward. A compiler that sees both graphs, such as XLA, would otherwise merge the region with the forward's calls,
// and keep their values instead. The barrier takes and returns the list of the region's inputs, before the region's
// first node; the region uses its items. `is_recomputed` is by node of `backward`.
Graph insert_barriers(Graph backward, const std::vector<bool>& is_recomputed, const std::string& barrier_operator,
                   Namespace& names);

// For each node of the backward, whether it is a recomputed call of the forward.
std::vector<bool> find_recomputed(const Graph& forward, const Graph& backward);

}  // namespace fxcut
