// The failure if a limit of saved bytes cannot be met.
#pragma once

#include "cost/analysis.h"
#include "diagnostic/diagnostic.h"
#include "frontier/incumbent.h"

namespace fxcut {

// The choice that saves the least of all found.
struct LeastFound {
  Choice choice;
  std::int64_t floor_bytes = 0;  // no choice saves less
};

// A Failure (NoPartition): whether the limit cannot be met (it is below the floor, or that `is_proven`) or nothing was found,
// the least found, and its largest values with the reasons.
Failure unmet_limit(const Analysis& analysis, const RecomputeProblem& problem, std::int64_t limit_bytes,
                    const LeastFound& least, bool is_proven);

// The same if no choice is feasible: the backward needs a value that can neither be saved nor recomputed.
Failure is_impossible(const Analysis& analysis, const RecomputeProblem& problem);

}  // namespace fxcut
