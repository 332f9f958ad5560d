// What a search has found out about a partition.
#pragma once

#include "pipeline/pipeline.h"

namespace fxcut {

// The cost of what the partition recomputes, by the estimator of its settings; of a replay 0.
Wide run_cost_of(const Partition& partition);

// Whether partitions within a limit are compared by how long their steps take: where kernels are priced
// (frontier/kernel_costs.h).
bool is_compared_by_time(const Partition& partition);

// What they are compared by: that time in picoseconds, or else run_cost_of().
Wide compared_cost(const Partition& partition);

// Forgets what was proven for another limit than the one that the partition is to keep to. That nothing is recomputed stays a
// proof.
void forget_bound(Report& report);

}  // namespace fxcut
