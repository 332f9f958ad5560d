// The best choice at one price, for certain.
#pragma once

#include "frontier/incumbent.h"
#include "frontier/relaxation.h"

namespace fxcut {

struct PricedChoice {
  Choice choice;
  Wide bound = 0;         // no choice costs less at that price: Price::of
  std::int64_t cuts = 0;  // that were solved
  bool is_proven = true;  // false: it took too many cuts to find out
};

// Within the relaxation's fixings, which have a feasible choice. Most often that is one cut; where the relaxation is
// too cheap, storages are fixed until it is right, in at most `most_parts` parts, and until the effort is spent.
PricedChoice best_at(const RecomputeProblem& problem, Relaxation& relaxation, const Price& price,
                     std::int64_t most_parts, Effort& effort);

}  // namespace fxcut
