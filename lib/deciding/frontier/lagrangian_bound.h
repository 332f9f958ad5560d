// How little can be run again within a limit of bytes: a lower bound.
//
// Whatever the price of a byte, what a choice within the limit costs is no less than the least sum of run cost and
// priced bytes, less the price of the limit. The best such bound is where the lower convex hull of all choices crosses
// the limit. Two points of the hull, one on either side of the limit, give the next price to ask, at which both cost
// the same; what is optimal there takes the place of one of them, until nothing lies below the line between them
// (Eisner and Severance, "Mathematical techniques for efficient record segmentation in large shared databases", JACM
// 1976).
#pragma once

#include <optional>

#include "frontier/incumbent.h"
#include "frontier/relaxation.h"

namespace fxcut {

// A choice as it was asked for: what is fixed as kept counts, whether something is saved in it or not.
struct HullPoint {
  KeptStorages used;
  Wide run_cost = 0;
  Wide bytes = 0;
};

struct LagrangianBound {
  bool feasible = true;  // false: no choice is within the limit
  bool is_attained = false;  // by the incumbent, or by what was found on the way: the rest need not be looked at
  Wide run_cost = 0;     // no choice costs less
  Price price;           // the last one asked, where the hull crosses the limit
  std::optional<HullPoint> within, beyond;  // the limit: the ends of the hull's edge there
  std::vector<char> charged;  // the views that were charged in the end
};

// The bound over all choices within the relaxation's fixings. Each choice that is met is offered to the incumbent. Ends
// early where the bound reaches the incumbent, and where the effort is spent. `wider`: the bound over more choices than
// these, of whose end points those that are among these are used again, and whose price is asked first.
LagrangianBound lagrangian_bound(const RecomputeProblem& problem, Relaxation& relaxation, Incumbent& incumbent,
                                 const LagrangianBound* wider = nullptr);

// The prices at which recomputing less comes before all else, and at which saving less does.
Price least_recomputing(const RecomputeProblem& problem);
Price least_bytes(const RecomputeProblem& problem);

// A price about `times`/`by` as high, in numbers no larger than those of the two prices above: a price that is made of
// another again and again does not outgrow what cuts add up in.
Price relative_price(const RecomputeProblem& problem, const Price& price, Wide times, Wide by);

// The optimum at one price, as far as the relaxation tells: views are charged anew until that changes nothing. `value`
// is the lower bound, Price::of what every choice costs.
struct PricedOptimum {
  Wide value = 0;
  HullPoint point;
  bool is_exact = false;  // the point costs just that
};
PricedOptimum optimum_at(const RecomputeProblem& problem, Relaxation& relaxation, Incumbent& incumbent,
                         const Price& price, int most_rounds = 4);

}  // namespace fxcut
