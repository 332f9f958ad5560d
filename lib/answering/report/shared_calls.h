// The calls of the joint graph that the report counts as recomputed.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// A call of the joint graph whose name occurs in both graphs.
struct SharedCall {
  NodeId id;
  bool runs_twice;  // itself, not a wrapper with its name
};

std::vector<SharedCall> find_shared_calls(const Graph& joint, const GraphPair& graphs);

}  // namespace fxcut
