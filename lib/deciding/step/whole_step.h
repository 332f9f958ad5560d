// The whole step after a decision.
#pragma once

#include <vector>

#include "finish/finish.h"
#include "graph/graph.h"
#include "memory/lifetimes.h"

namespace fxcut {

// The step in which the backward recomputes what it recomputes in the two graphs. Where PyTorch's pass recomputes the same, its
// result, node by node (step/rematerialize_by_tags.h); else the two graphs in one (step/join_partition.h).
Graph whole_step(const WholeStep& step, const Finished& finished, const std::vector<CarriedValue>& carried);

}  // namespace fxcut
