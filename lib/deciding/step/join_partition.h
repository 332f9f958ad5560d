// Joins the two graphs made from a whole step into a step again.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "memory/lifetimes.h"

namespace fxcut {

// The region that recomputes a value of several regions of the backward: the first, before its first use, which keeps it for the
// others, or each region, as eager mode does.
enum class RecomputeIn { FirstRegion, EachRegion };

// The forward and the backward of `step` in one graph: the backward takes the values themselves in place of its inputs, and
// recomputed values have the forward's name with "_recomputed". Nodes keep the order of the step (step/late_calls.h), so that a
// region of the backward still runs before the forward that follows it; added nodes run where they do in their own graph. A call
// of the forward whose users all use a copy is left out. Outputs have the step's order. `carried` are the values that cross.
// Random operators under a saved state, and calls with side effects, are always recomputed only once.
Graph join_partition(const WholeStep& step, const GraphPair& graphs, const std::vector<CarriedValue>& carried,
                     RecomputeIn where);

}  // namespace fxcut
