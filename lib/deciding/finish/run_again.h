// Recomputed calls that the backward runs once more, so that their values need not stay until their last use.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/naming.h"
#include "solve/saved_values.h"

namespace fxcut {

// A call that was added.
struct RunAgain {
  std::string name;    // "mul_recomputed", and of the next "mul_recomputed_1"
  NodeId value;        // the call of the joint graph that it repeats
  NodeId before;       // and the node before which it runs
};

// Adds a copy of each call just before its node, in this order; later users, including later copies, take the copy. Calls that
// the backward does not compute, since their values are saved or unneeded, are not repeated. The copies' names are in neither
// graph. Throws Failure (NoPartition) if a call would run before its inputs.
std::vector<RunAgain> run_again(Graph& backward, const Graph& joint, const std::vector<RecomputedAgain>& again,
                                Namespace& names);

}  // namespace fxcut
