// A limit of the peak that the finished graphs meet.
#pragma once

#include "partition/partition.h"

namespace fxcut {

// The partition under the limit in the settings (peak_bytes_limit; `least`: the lowest peak that is found). The decision uses
// a simulation of the step's memory (peak/step_simulation.h); if additions of later passes, such as states of random
// generators, raise the peak above the limit, it is repeated with a lower one. With `memory_of: compiled` the limit is on the
// predicted peak of compiled code (compiled_peak_search.h). The report's `peak_limit` has the quality of the result. Throws
// Failure (NoPartition) if no decision within the limit was found, with the lowest peak that was.
Partition partition_within_peak(const JointGraph& joint, const Settings& settings, const PolicyStack& policies = {},
                                const HaltRequested& halt = kNeverHalt, const PassDone& done = kNoProgress);

// Settings under which the solver makes the same decision, or one as good, in one search: within the saved bytes of the partition
// instead of a limit of the peak, and with the means that the partition uses (best_means.h). With recompute_again they are
// returned unchanged.
Settings settings_that_decide(const JointGraph& joint, Settings settings, const PolicyStack& policies, const HaltRequested& halt);

}  // namespace fxcut
