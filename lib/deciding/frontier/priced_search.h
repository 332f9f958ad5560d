// The best choice at one price, exactly.
#pragma once

#include "frontier/incumbent.h"
#include "frontier/relaxation.h"

namespace fxcut {

struct PricedChoice {
  Choice choice;
  Wide bound = 0;         // no choice costs less at that price: Price::of
  std::int64_t cuts = 0;  // that were solved
  bool is_proven = true;  // false: the search ended early
};

// Within the relaxation's fixings, which have a feasible choice. Mostly that is one cut; if the relaxation is too cheap,
// storages are fixed until it is exact, in at most `most_parts` parts, or until the effort is spent.
PricedChoice best_at(const RecomputeProblem& problem, Relaxation& relaxation, const Price& price,
                     std::int64_t most_parts, Effort& effort);

}  // namespace fxcut
