// Which recomputed values the backward drops and recomputes again, so that a simulated step is within a limit of the peak.
//
// In two ways, of which the better one is taken: beginning without drops, and with those that are spread over all that is
// recomputed, for the best of many limits (spread_drops.h). From there, while the peak is above the limit, one more memory that
// is in use there and not used there is dropped: of those that lower the bytes at that step and raise the peak nowhere, the one
// whose new recomputation costs least for the bytes. At the end drops that the limit does not need are taken back.
#pragma once

#include <vector>

#include "frontier/effort.h"
#include "peak/backward_with_drops.h"

namespace fxcut {

struct AgainPlan {
  std::vector<RecomputedAgain> again;
  Wide run_cost = 0;    // of these
  Wide peak_bytes = 0;  // above the limit if no further drop lowers it
};

// A peak that is found under one limit is found under itself, too: one after the other, which drops are made does not depend on
// the limit, only their number; and of those spread over what is recomputed, the lowest is taken wherever none is within the
// limit, and one within it else.
AgainPlan recompute_again(BackwardWithDrops& backward, Wide limit_bytes, Effort& effort);

}  // namespace fxcut
