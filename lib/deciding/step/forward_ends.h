// What the forward of a whole step is for, where the step does not return it.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// What the forward computes last before each region of the backward, such as a loss, if it is computed from other calls and none
// of the step's outputs needs it. Without these the forward would be for nothing, and all that the backward uses would count as
// computed there. Views and what nobody uses do not count. The phases of `step` are known.
std::vector<NodeId> find_unreturned_ends(const Graph& step);

}  // namespace fxcut
