// The whole step after a decision.
#pragma once

#include <vector>

#include "finish/finish.h"
#include "graph/graph.h"
#include "memory/lifetimes.h"

namespace fxcut {

// The step in which the backward recomputes what it recomputes in the two graphs: the two in one (step/join_partition.h). Where
// its own tags have decided and PyTorch's pass takes it, that pass's result, node by node (step/rematerialize_by_tags.h).
Graph whole_step(const WholeStep& step, const Finished& finished, const std::vector<CarriedValue>& carried, bool by_tags);

}  // namespace fxcut
