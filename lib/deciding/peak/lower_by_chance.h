// Lowers the peak by random changes that may make it worse for a while.
//
// Single changes, and pairs of them, lead to a choice that no further change improves. In a graph whose values have several
// users that choice is often not the lowest. Here a change is also accepted if it makes the choice worse by less than a
// threshold, which falls to 0 (Dueck and Scheuer, "Threshold accepting", 1990). The objective is not the peak, which most
// changes leave as it is, but the sum over all steps of the bytes in use above a limit that is a little lower than the lowest
// peak so far.
#pragma once

#include <cstdint>

#include "frontier/fixings.h"
#include "peak/peak_trials.h"

namespace fxcut {

struct ChanceLimits {
  Int128 floor_bytes = 0;       // there is no lower peak
  std::int64_t most_steps = 0;  // of work, as frontier/work_budget.h counts it
  std::size_t chance = 1;       // the same changes for the same number
};

// Starts from the choice with the lowest peak, which the trials must have. Ends after that work, when the trials are spent, or
// when no lower peak exists.
void lower_by_chance(PeakTrials& trials, const Fixings& fixings, const ChanceLimits& limits);

}  // namespace fxcut
