// Forward, backward and optimizer of a whole step.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// For each node, its phase. Nodes that depend on the backward (step/backward_regions.h), by their inputs or by written memory,
// are not the forward's. Neither are calls that run after it, since recomputation must not see their writes, unless the forward
// can make them as well (step/late_calls.h). A node is the optimizer's if it runs after the backward and takes part in processing
// a gradient, directly or through other calls that run after the backward: a step counter is, statistics of a batch norm are not.
// Tuples cannot be saved, so their items are in the forward if they are. The output has the phase of the last node that is not
// the forward's.
std::vector<StepPhase> find_phases(const Graph& step);

// The inputs that only the optimizer uses: its states, learning rates and the like.
std::vector<NodeId> find_optimizer_states(const Graph& step, const std::vector<StepPhase>& phases);

}  // namespace fxcut
