// What to say where a limit of memory cannot be met.
#pragma once

#include "cost/analysis.h"
#include "diagnostic/diagnostic.h"
#include "frontier/incumbent.h"

namespace fxcut {

// A Failure (NoPartition) that says what the least is that can be, `least`, and which of its values are the largest,
// and why.
Failure unmet_limit(const Analysis& analysis, const RecomputeProblem& problem, std::int64_t limit_bytes,
                    const Choice& least);

// The same where nothing can be, because the backward needs something that can neither be saved nor recomputed.
Failure nothing_can_be(const Analysis& analysis, const RecomputeProblem& problem);

}  // namespace fxcut
