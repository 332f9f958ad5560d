// Forward, backward and optimizer of a whole step.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// For each node, its phase. What depends on the backward (step/backward_regions.h), by its inputs or by written memory, is not
// the forward's, and neither is a call that runs after it, since what the backward recomputes must not see its writes; unless the
// forward can make it as well (step/late_calls.h). It is the optimizer's if it runs after the backward and takes part in what
// becomes of a gradient, directly or through other calls that run after the backward; so a step counter is, and statistics of a
// batch norm are not. A tuple cannot be saved: its items are of the forward, as it is. The output has the phase of the last node
// that is not the forward's.
std::vector<StepPhase> find_phases(const Graph& step);

// The inputs that only the optimizer uses: its states, learning rates and the like.
std::vector<NodeId> find_optimizer_states(const Graph& step, const std::vector<StepPhase>& phases);

}  // namespace fxcut
