// Which recomputed values the backward drops and recomputes again, so that a simulated step is within a limit of the peak.
//
// While the peak is above the limit, one more memory that is in use there and not used there is dropped: of those that lower
// the bytes at that step and raise the peak nowhere, the one whose new recomputation costs least for the bytes. Dropping all
// values of a long segment but those at even distances recomputes it in parts, and then a part in parts of its own: as on a chain
// of n layers, whose memory shrinks from sqrt(n) to its third root and on, each time for one more run of the forward (Griewank
// and Walther, "Revolve", 2000). At the end drops that the limit does not need are taken back.
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

// Which drops are made does not depend on the limit, only their number: a peak that is found under one limit is found under
// itself, too.
AgainPlan recompute_again(BackwardWithDrops& backward, Wide limit_bytes, Effort& effort);

}  // namespace fxcut
