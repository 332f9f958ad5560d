// Writes that leave nothing of what was there: copy_ to all of a memory. What was written there before is lost without a trace, and
// what the destination held need not have been right.
//
// That it is all shows where one node of the graph has made or brought the memory and the destination is one of its views, with as
// many elements, each once. An as_strided may reach beyond what that node has.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// By node.
struct CopiesInPlace {
  std::vector<bool> is_whole;
  // A copy_ of what is there already, which writes nothing: of a tensor to itself, that is of one node, or of two that are a whole
  // memory alike; or of a clone of the tensor, where neither was written to since.
  std::vector<bool> is_idle;
};

// `merged`: the storages of equal calls that were merged.
CopiesInPlace find_copies_in_place(const Graph& graph, const MergedStorages& merged = {});

}  // namespace fxcut
