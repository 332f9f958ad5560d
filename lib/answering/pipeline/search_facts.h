// What a search has found out about a partition.
#pragma once

#include "pipeline/pipeline.h"

namespace fxcut {

// The cost of what the partition recomputes, by the estimator of its settings; of a replay 0.
Wide run_cost_of(const Partition& partition);

// Forgets what was proven for another limit than the one that the partition is to keep to. That nothing is recomputed stays a
// proof.
void forget_bound(Report& report);

}  // namespace fxcut
