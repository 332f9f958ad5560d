// Whether a limit of memory does what it is for: a decision that saves less may have a higher peak, because what it recomputes
// is in memory together with what it is recomputed from.
#pragma once

#include <functional>

#include "pipeline/pipeline.h"
#include "pipeline/stages.h"

namespace fxcut {

// The partition that `make` makes of `joint` under the settings. If they limit memory, by a limit or a memory budget below 1, the
// graph is also partitioned without that, at the same time; if that one saves more and its peak is lower by more than
// 1 %, the report has a warning. `done` is told when both are there. Throws what `make` throws.
Partition compared_with_no_limit(JointGraph joint, const Settings& settings, const PolicyStack& policies,
                                 const std::function<Partition(JointGraph joint)>& make,
                                 const StageDone& done = kNoProgress);

}  // namespace fxcut
