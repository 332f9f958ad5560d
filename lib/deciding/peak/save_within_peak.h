// The frontier solver's decision under a limit of the peak.
#pragma once

#include <string>
#include <unordered_set>

#include "cost/analysis.h"
#include "cost/size.h"
#include "frontier/work_budget.h"
#include "settings/memory_limit.h"
#include "solve/saved_values.h"

namespace fxcut {

// The values to save so that the simulated peak (peak/step_simulation.h) is within the limit, with a bound on the optimum.
// With the settings' recompute_again also the values to recompute again (search_again.h). Throws Failure (NoPartition) if no
// choice is found, and says whether none exists, the lowest peak found, and the values in use there.
SavedValues save_within_peak(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                             const SearchLimits& search);

// The same with the settings' recompute_again, given the values that are saved without the tag under trial: near that decision if
// a choice within the limit is found there (search_again.h).
SavedValues save_within_peak_near(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                                  const SearchLimits& search, const std::unordered_set<std::string>& saved);

}  // namespace fxcut
