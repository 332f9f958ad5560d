// The cheapest choice within a limit of the peak by branch and bound, where the graph is small or little has to be recomputed.
//
// From keeping everything, storages are dropped one after the other. What is recomputed only grows with that, so its cost is a
// bound on all that drop more; a choice that is within the limit needs no further drop. While what is kept alone exceeds the
// limit at some position of the backward, one of the storages that are kept there has to be dropped: the first, or else the
// second with the first kept for good, and so on; and those of the least cost for their bytes that free enough, the last one in
// part, are another bound. Where only values recomputed early exceed it, any kept storage may be next.
#pragma once

#include "frontier/fixings.h"
#include "peak/peak_trials.h"
#include "peak/unavoidable.h"

namespace fxcut {

// Offers cheaper choices than the best, of which there is one. Returns whether no choice is cheaper than the best is then;
// false if `most_steps` of work (frontier/effort.h) do not tell.
bool prove_cheapest(PeakTrials& trials, const Unavoidable& unavoidable, const Fixings& fixings, std::int64_t most_steps);

}  // namespace fxcut
