// Improves a choice one storage at a time, simulating each try. Every function ends when the trials are spent.
#pragma once

#include <optional>
#include <vector>

#include "peak/peak_trials.h"

namespace fxcut {

// Keeps more: repeatedly the storage that fits and saves the most run cost for its price.
void fill(PeakTrials& trials, const KeptStorages& kept, const std::vector<double>& prices);

// Keeps more of the storages that are recomputed before the peak, as long as that lowers the peak and recomputes no more: a kept
// value is not recomputed early, with all its inputs, because another needs it. Returns the new choice.
KeptStorages make_room(PeakTrials& trials, KeptStorages kept);

// Keeps less until the peak is within the limit: repeatedly drops, of the kept storages in use at the peak, the one that
// costs least for its price. Returns nothing if that does not reach the limit.
std::optional<KeptStorages> bring_within_limit(PeakTrials& trials, KeptStorages kept, const std::vector<double>& prices);

// Improves the cheapest choice within the limit: fills it, then drops each kept storage in turn and fills the room again, as
// long as that helps.
void make_cheaper(PeakTrials& trials, const std::vector<double>& prices);

// Lowers the peak: of the storages in use at it, drops a kept one or keeps a recomputed one, one at a time, as long as that
// helps: the one that helps most, or, where tries are dear, the first that helps, large ones first.
enum class Descent { Steepest, First };
void make_lower(PeakTrials& trials, KeptStorages kept, Descent descent = Descent::Steepest);

}  // namespace fxcut
