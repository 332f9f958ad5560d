// The best choice at one price, for certain.
#pragma once

#include "frontier/incumbent.h"
#include "frontier/relaxation.h"

namespace fxcut {

struct PricedChoice {
  Choice choice;
  bool is_proven = true;  // false: it took too many cuts to find out
};

// Within the relaxation's fixings, which have a feasible choice. Most often that is one cut; where the relaxation is
// too cheap, storages are fixed until it is right, in at most `most_parts` parts.
PricedChoice best_at(const RecomputeProblem& problem, Relaxation& relaxation, const Price& price,
                     std::int64_t most_parts, std::int64_t& cuts);

}  // namespace fxcut
