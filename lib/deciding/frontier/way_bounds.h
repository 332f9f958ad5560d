// Bounds on what it takes to go on from a state of a decision (decision_states.h).
//
// At a price of a byte, one pass backwards finds the least sum of run cost and priced bytes from each state to the end. What is
// left of the limit, priced, is the most that these bytes can spare: a Lagrangian bound on the run cost, for each price. The
// best price at the first state is where the hull of all paths crosses the limit (lagrangian_bound.h); paths that have used
// less or more than their share of the limit are bounded best by prices around it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "frontier/decision_states.h"
#include "frontier/relaxation.h"

namespace fxcut {

class WayBounds {
 public:
  // The problem and the states are kept by reference.
  WayBounds(const RecomputeProblem& problem, const DecisionStates& states, std::int64_t limit_bytes, WorkBudget& work);

  // Whether a path that reaches a state with these bytes and this run cost may end within the limit and cost at most that.
  bool may_end(StateIndex state, Int128 bytes, Int128 run_cost, Int128 at_most) const;

 private:
  struct Point {
    Int128 bytes = 0, run_cost = 0;
  };
  struct Ways {
    Price price;
    std::vector<Int128> costs;  // by state, of the cheapest way to the end; kNoWay if there is none
  };

  Int128 cost_of(const Transition& transition, const Price& price) const;
  Ways ways_at(const Price& price, WorkBudget& work) const;
  Point cheapest(const Ways& ways) const;
  Price price_at_limit(const Ways& least, const Ways& most, WorkBudget& work) const;

  const RecomputeProblem& problem_;
  const DecisionStates& states_;
  Int128 limit_bytes_;
  std::vector<Ways> ways_;  // the best first
};

}  // namespace fxcut
