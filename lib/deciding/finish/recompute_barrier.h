// Keeping a compiler from undoing a recomputation.
#pragma once

#include <string>

#include "graph/graph.h"
#include "graph/naming.h"

namespace fxcut {

// The backward with a barrier on the inputs of every recomputed region: a connected set of calls that the forward runs,
// too. A compiler that sees both graphs, such as XLA, would else find that the region computes what the forward has
// computed, and keep that instead. The barrier takes and returns the list of the region's inputs and stands before its
// first node; the region takes its items. `is_recomputed` is by node of `backward`.
Graph put_barriers(Graph backward, const std::vector<bool>& is_recomputed, const std::string& barrier_operator,
                   Namespace& names);

// By node of the backward, whether it is a call of the forward that runs again.
std::vector<bool> find_recomputed(const Graph& forward, const Graph& backward);

}  // namespace fxcut
