// What to say where a limit of memory cannot be met.
#pragma once

#include "cost/analysis.h"
#include "diagnostic/diagnostic.h"
#include "frontier/incumbent.h"

namespace fxcut {

// The choice that saves the least of all that were found.
struct Least {
  Choice choice;
  std::int64_t floor_bytes = 0;  // no choice saves less
};

// A Failure (NoPartition) that says whether the limit cannot be met (it is below the floor, or `is_proven` to be too
// little) or nothing was found, what the least is, and which of its values are the largest, and why.
Failure unmet_limit(const Analysis& analysis, const RecomputeProblem& problem, std::int64_t limit_bytes,
                    const Least& least, bool is_proven);

// The same where nothing can be, because the backward needs something that can neither be saved nor recomputed.
Failure is_impossible(const Analysis& analysis, const RecomputeProblem& problem);

}  // namespace fxcut
