// The frontier solver's decision under a limit of the peak.
#pragma once

#include "cost/analysis.h"
#include "cost/storage.h"
#include "frontier/effort.h"
#include "settings/memory_limit.h"
#include "solve/saved_values.h"

namespace fxcut {

// The values to save so that the peak, as it is simulated (peak/step_simulation.h), is within the limit, with what is
// known of how good that is. Throws Failure (NoPartition) where no such choice was found: with whether none can be, the
// lowest peak that was found, and what is in use there.
SavedValues save_within_peak(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                             const SearchLimits& search);

}  // namespace fxcut
