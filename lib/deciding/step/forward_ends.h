// The purpose of a whole step's forward, if the step does not return its results.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// The last values that the forward computes before each region of the backward, such as a loss, if they are computed from other
// calls and no output of the step needs them. Without these the forward would have no purpose, and everything that the backward
// uses would count as computed there. Views and unused nodes do not count. The phases of `step` are known.
std::vector<NodeId> find_unreturned_ends(const Graph& step);

}  // namespace fxcut
