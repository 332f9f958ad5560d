// Results that nobody reads before a copy_ overwrites all of them. Such a call is there for its memory alone: what it computes, and so
// what it reads and draws, is no matter.
#pragma once

#include <vector>

#include "classify/whole_writes.h"
#include "graph/graph.h"

namespace fxcut {

// By node, whether it is such a call. Only calls that compute one tensor and do nothing else are; a view of the result reads nothing
// of it, and what dead code reads does not count. `copies` and `merged` are those of the graph. Linear in it.
std::vector<bool> find_overwritten_results(const Graph& graph, const CopiesInPlace& copies, const MergedStorages& merged = {});

}  // namespace fxcut
