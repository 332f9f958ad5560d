// A limit of the peak, held by the two graphs as they are.
#pragma once

#include "pipeline/pipeline.h"

namespace fxcut {

// The partition under the limit that the settings have (peak_bytes_limit; `least`: the lowest peak that is found). What is
// decided is so by the memory of the step as it is simulated (peak/step_simulation.h); where what later stages add, such as
// states of random generators, puts the peak above the limit, it is decided anew within less. The report's `peak_limit`
// says how good the answer is. Throws Failure (NoPartition) where no choice was found whose peak is within the limit: with
// the least that was found, and what is in use there.
Partition partition_within_peak(const JointGraph& joint, const Settings& settings, const PolicyStack& policies = {},
                                const HaltRequested& halt = kNeverHalt, const StageDone& done = kNoProgress);

// Settings under which the solver decides within what that partition saves, in place of the limit of the peak. Settings
// without one are returned as they are.
Settings without_peak_limit(const JointGraph& joint, Settings settings, const PolicyStack& policies,
                            const HaltRequested& halt);

}  // namespace fxcut
