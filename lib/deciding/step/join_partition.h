// A whole step again, from the two graphs that were made of it.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "memory/lifetimes.h"

namespace fxcut {

// Where a value that several regions of the backward use is recomputed: before its first use, and kept for the others, or in each
// region, as eager mode does.
enum class RecomputeIn { FirstRegion, EachRegion };

// The forward and the backward of `step` in one graph: the backward takes the values themselves that it took as inputs, and
// what it recomputes has the forward's name with "_recomputed". Nodes keep the order of the step (step/late_calls.h), so that a
// region of the backward still runs before the forward that follows it; what was added runs where it does in its own graph. A
// call of the forward whose users all use a copy is left out. Outputs have the step's order. `carried` are the values that cross.
// Random operators under a saved state, and calls with side effects, are recomputed once in any case.
Graph join_partition(const WholeStep& step, const GraphPair& graphs, const std::vector<CarriedValue>& carried,
                     RecomputeIn where);

}  // namespace fxcut
