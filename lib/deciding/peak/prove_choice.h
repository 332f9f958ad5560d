// The cheapest choice within a limit of the peak by branch and bound, where the graph is small or little has to be recomputed.
//
// Starting from everything kept, storages are dropped one after another. Recomputation only grows with each drop, so its cost
// is a lower bound for all choices that drop more; a choice within the limit needs no further drop. While the kept storages
// alone exceed the limit at some position of the backward, one of those kept there has to be dropped: the first, or else the
// second with the first kept for good, and so on. Another bound is the cost of the cheapest of these, by cost per byte, that
// free enough, the last one in part. Where only values recomputed early exceed the limit, any kept storage may be next.
#pragma once

#include "frontier/fixings.h"
#include "peak/peak_trials.h"
#include "peak/unavoidable.h"

namespace fxcut {

// Offers choices cheaper than the best, which the trials must have. Returns whether the best is then proven to be the cheapest;
// false if `most_steps` of work (frontier/work_budget.h) do not suffice.
bool prove_cheapest(PeakTrials& trials, const Unavoidable& unavoidable, const Fixings& fixings, std::int64_t most_steps);

}  // namespace fxcut
