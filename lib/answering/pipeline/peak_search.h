// The least recomputing whose peak of memory is within a limit.
//
// What is saved is in use where the forward ends, so a limit of the peak is one of saved bytes as well; but the peak is
// more than what is saved, by what runs there. So the frontier solver decides within some amount of saved bytes, the
// step that comes out is simulated (memory/lifetimes.h), and the amount is moved: down by what the peak was too high,
// and once a peak holds, to halfway between what held and what did not. To save less mostly lowers the peak, but not
// always, so where not even the least does, choices all along the frontier are tried. What PyTorch's cuts would save is
// tried as well, so that no answer is worse than these. At the end the solver searches on within the best amount.
//
// How much is tried is counted, as frontier/effort.h counts, so that equal input gives equal bytes under any load.
#pragma once

#include "pipeline/pipeline.h"

namespace fxcut {

// The partition under the limit that the settings have (peak_bytes_limit; `least`: the lowest peak of the choices that
// are tried). The report's `peak_limit` says how good it is. Throws Failure (NoPartition) where no choice was found
// whose peak is within it: with the least that was found, and what is in use there.
Partition partition_within_peak(const JointGraph& joint, const Settings& settings, const PolicyStack& policies = {},
                                const HaltAsked& halt = kNeverHalt);

// Settings under which the solver alone decides as that partition was decided: with the limit of saved bytes that it
// came to in place of the limit of the peak. Settings without one are returned as they are.
Settings without_peak_limit(const JointGraph& joint, Settings settings, const PolicyStack& policies,
                            const HaltAsked& halt);

}  // namespace fxcut
