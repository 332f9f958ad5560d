// The lower convex hull of all choices: bytes kept against what is run again.
//
// A point at which the sum of run cost and priced bytes is least, for some price, is on the hull; its corners are found
// from the two ends by asking, between two points, for the price at which both cost the same (lagrangian_bound.h tells
// of that). What the relaxation cannot tell exactly at some price is settled by branch and bound at that price.
#pragma once

#include <vector>

#include "frontier/incumbent.h"
#include "frontier/relaxation.h"

namespace fxcut {

struct HullCorner {
  Choice choice;
  bool is_proven = true;  // at its price no choice is better
  Price price;            // at which it was found: one at which it is the best
};

struct Hull {
  std::vector<HullCorner> corners;  // fewest bytes first; none where nothing is feasible
  std::vector<Choice> between;      // choices on its edges that are no corners, fewest bytes first
  std::int64_t cuts = 0;            // that were solved
};

Hull trace_hull(const RecomputeProblem& problem);

}  // namespace fxcut
