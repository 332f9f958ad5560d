// The memory budget of a graph.
#pragma once

#include "extract/roles.h"
#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// The budget, from 0 (save the forward's inputs only) to 1 (save what is cheapest to run). In rising precedence: the
// setting; the first node's own `memory_budget`; the regions' `_region_activation_memory_budget`. Throws Failure
// (NoPartition), naming the nodes, if regions differ, leave part of the forward or of a subgraph out, or if a budget is
// not from 0 to 1.
double resolve_budget(const JointGraph& joint, const Roles& roles, const Settings& settings);

}  // namespace fxcut
