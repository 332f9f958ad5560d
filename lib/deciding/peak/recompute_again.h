// Chooses the recomputed values that the backward drops and recomputes again to bring a simulated step within a limit of the
// peak.
//
// There are two starts, of which the better result counts: without drops, and with drops spread over all recomputation, for the
// best of many limits (spread_drops.h). From there, while the peak is above the limit, one more memory is dropped that is in
// use at the peak but not by its node: of those that lower the bytes at that step and raise the peak nowhere, the one that is
// cheapest to recompute for its bytes. At the end, drops that the limit does not need are taken back.
#pragma once

#include <vector>

#include "frontier/work_budget.h"
#include "peak/backward_with_drops.h"

namespace fxcut {

struct AgainPlan {
  std::vector<RecomputedAgain> again;
  Int128 run_cost = 0;    // of these
  Int128 peak_bytes = 0;  // above the limit if no further drop lowers it
};

// A peak that is found under one limit is also found if it is the limit itself: the sequence of single drops does not depend on
// the limit, only its length does; and of the spread drops, the lowest are taken wherever none are within the limit,
// and otherwise some that are.
AgainPlan recompute_again(BackwardWithDrops& backward, Int128 limit_bytes, WorkBudget& work);

}  // namespace fxcut
