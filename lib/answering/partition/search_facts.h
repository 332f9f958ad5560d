// The facts about a partition that a search needs.
#pragma once

#include "partition/partition.h"
#include "peak/given_choices.h"

namespace fxcut {

// The cost of what the partition recomputes, by the estimator of its settings; 0 for a replay.
Int128 run_cost_of(const Partition& partition);

// Whether partitions within a limit are compared by the times of their steps, because kernels are priced
// (frontier/kernel_costs.h).
bool is_compared_by_time(const Partition& partition);

// The cost by which partitions are compared: that time in picoseconds, including waits for copies, or otherwise run_cost_of().
Int128 compared_cost(const Partition& partition);

// The part of it that the decision's run cost leaves out: waits for copies that the solver has not chosen, which are those of a
// policy or of the graph's marks.
Int128 uncounted_waiting(const Partition& partition);

// What a decision saves, as a starting point of a search for others.
SavedNames saved_names(const Report& report);

// Drops a proof by all decisions that were tried, if the finished graphs have another peak than was predicted: it says nothing
// about them.
void forget_proof_of_other_peak(Report& report);

// Drops bounds proven for a limit other than the partition's. A partition that recomputes nothing remains proven.
void forget_bound(Report& report);

// Keeps of the bounds, of recomputation and of the peak, what also holds for decisions of another kind: those that `other` is the
// best of, within the same limit.
void weaken_bound(Report& report, const Report& other);

// Takes the bounds that were found with `wider`, whose decisions include that of `report`.
void take_bound(Report& report, const Report& wider);

}  // namespace fxcut
