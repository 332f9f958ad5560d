// Whether a memory limit lowers the peak: a decision that saves less may have a higher peak, because recomputed values are in
// memory together with their inputs.
#pragma once

#include <functional>

#include "partition/partition.h"
#include "partition/passes.h"

namespace fxcut {

// The partition that `make` makes of `joint` under the settings. If they limit memory, by a limit or a memory budget below 1, the
// graph is at the same time also partitioned without that; if this partition saves more and its peak is lower by more than 1 %,
// the report has a warning. `done` is called once both are made. Throws what `make` throws.
Partition compared_with_no_limit(JointGraph joint, const Settings& settings, const PolicyStack& policies,
                                 const std::function<Partition(JointGraph joint)>& make,
                                 const PassDone& done = kNoProgress);

}  // namespace fxcut
