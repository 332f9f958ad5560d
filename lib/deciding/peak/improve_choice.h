// Making a choice better a storage at a time, each try simulated.
#pragma once

#include <optional>
#include <vector>

#include "peak/peak_trials.h"

namespace fxcut {

// Keeps more than this choice does: of what still fits, what spares most run cost for its price, again and again.
void fill(PeakTrials& trials, const KeptStorages& kept, const std::vector<double>& prices);

// Keeps more of what is there again at the peak, as long as that lowers the peak and costs nothing: what is kept need not
// be run again early, with all that leads to it, because something else needs it. Returns what it comes to.
KeptStorages make_room(PeakTrials& trials, KeptStorages kept);

// Keeps less than this choice does until its peak is within the limit: of what was kept and is in use at the peak, what it
// costs least for its price to do without, again and again. Returns nothing where that leads nowhere.
std::optional<KeptStorages> bring_within_limit(PeakTrials& trials, KeptStorages kept, const std::vector<double>& prices);

// Improves the cheapest choice within the limit: fills it, then does without each kept storage in turn and fills the room anew, as long as that helps. Ends where the
// effort is spent, or after so many tries.
void make_cheaper(PeakTrials& trials, const std::vector<double>& prices, std::size_t most_tries);

// Improves the choice with the lowest peak: of what is in use at the peak, what was kept is dropped and what is there
// again is kept, one storage at a time, as long as that lowers the peak.
void make_lower(PeakTrials& trials, std::size_t most_tries);

}  // namespace fxcut
