// A lower bound of the recomputation within a limit of bytes.
//
// Whatever the price of a byte, a choice within the limit costs at least the least sum of run cost and priced bytes, minus
// the price of the limit. The best such bound is where the lower convex hull of all choices crosses the limit. Two points of
// the hull, one on either side of the limit, give the next price, at which both cost the same; the optimum there replaces one
// of them, until no point is below the line between them (Eisner and Severance, "Mathematical techniques for efficient record
// segmentation in large shared databases", JACM 1976).
#pragma once

#include <optional>

#include "frontier/incumbent.h"
#include "frontier/relaxation.h"
#include "frontier/rounded_limit.h"

namespace fxcut {

// A choice in which storages fixed as kept count, even if nothing is saved in them.
struct HullPoint {
  KeptStorages used;
  Int128 run_cost = 0;
  Int128 bytes = 0;
};

struct LagrangianBound {
  bool feasible = true;  // false: no choice is within the limit
  bool is_attained = false;  // by the incumbent: these choices cannot be better
  Int128 run_cost = 0;       // no choice costs less
  Price price;           // the last one, at which the hull crosses the limit
  std::optional<HullPoint> within, above;  // the limit: the ends of the hull's edge there
  std::vector<char> charged;  // the views charged last
};

// The bound over all choices within the relaxation's fixings. Each choice found is offered to the incumbent. Ends early if the
// bound reaches the incumbent or the work is spent. `wider`: the bound over a superset of these choices, whose price is
// tried first and whose end points are used again if they are among these.
LagrangianBound lagrangian_bound(const RecomputeProblem& problem, Relaxation& relaxation, Incumbent& incumbent,
                                 const LagrangianBound* wider = nullptr);

// The same within a rounded limit; the bytes of the relaxation and of the bound's choices are in its units.
LagrangianBound lagrangian_bound(const RoundedLimit& rounded, Relaxation& relaxation, Incumbent& incumbent,
                                 const LagrangianBound* wider = nullptr);

// The prices at which less recomputation outweighs any bytes, and at which fewer bytes outweigh any recomputation.
Price least_recomputing(const RecomputeProblem& problem);
Price least_bytes(const RecomputeProblem& problem);

// A price about `times`/`by` as high, in numbers no larger than those of the two prices above, so that sums in cuts do not
// overflow however often it is applied.
Price relative_price(const RecomputeProblem& problem, const Price& price, Int128 times, Int128 by);

// The relaxation's optimum at one price: views are charged again until nothing changes. `value` is a lower bound of the
// Price::of every choice.
struct PricedOptimum {
  Int128 value = 0;
  HullPoint point;
  bool is_exact = false;  // the cost of the point is `value`
};
PricedOptimum optimum_at(const RecomputeProblem& problem, Relaxation& relaxation, Incumbent& incumbent,
                         const Price& price, int most_rounds = 4);

}  // namespace fxcut
