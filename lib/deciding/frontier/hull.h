// The lower convex hull of all choices: kept bytes against run cost.
//
// A point at which the sum of run cost and priced bytes is least, for some price, is on the hull; its corners are found from
// the two ends, by solving at the price at which two neighbours cost the same (lagrangian_bound.h). If the relaxation is not
// exact at some price, branch and bound at that price decides.
#pragma once

#include <vector>

#include "frontier/incumbent.h"
#include "frontier/relaxation.h"

namespace fxcut {

// The best choice at one price.
struct PricedChoice {
  Choice choice;
  Int128 bound = 0;       // no choice costs less at that price: Price::of
  std::int64_t cuts = 0;  // that were solved
  bool is_proven = true;  // false: the search ended early
};

// Within the relaxation's fixings, which have a feasible choice. Mostly that is one cut; if the relaxation is too cheap,
// storages are fixed until it is exact, in at most `most_parts` parts, or until the work is spent.
PricedChoice best_at(const RecomputeProblem& problem, Relaxation& relaxation, const Price& price, std::int64_t most_parts,
                     WorkBudget& work);

struct HullCorner {
  Choice choice;
  bool is_proven = true;  // the best choice at its price
  Price price;            // at which it was found
};

struct Hull {
  std::vector<HullCorner> corners;  // fewest bytes first; none if nothing is feasible
  std::vector<Choice> between;      // choices on its edges that are not corners, fewest bytes first
  std::int64_t cuts = 0;            // that were solved
};

Hull trace_hull(const RecomputeProblem& problem);

// About `most` of its corners, fewest bytes first, in less time: the two ends, and then again and again one in the widest gap
// below `most_bytes`; of those above that, only what closes such a gap. Where there is none in a gap, up to three choices on its
// edge. None if nothing is feasible.
std::vector<HullCorner> spread_corners(const RecomputeProblem& problem, std::int64_t most_bytes, std::size_t most);

}  // namespace fxcut
