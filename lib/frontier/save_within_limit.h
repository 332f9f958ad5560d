// The frontier solver's decision: what is saved under a limit of memory, so that the least is run again.
#pragma once

#include "cost/analysis.h"
#include "cost/storage.h"
#include "frontier/budget_search.h"
#include "policy/memory_limit.h"
#include "solve/saved_values.h"

namespace fxcut {

// Whether the settings ask for the frontier solver: it is named, and there is a limit.
bool wants_frontier(const Settings& settings, double budget);

// The limit that the settings give, or else that of the budget.
MemoryLimit limit_of(const Analysis& analysis, const StorageBytes& storages, double budget);

// As the settings say, but for the clock.
SearchLimits search_limits(const Settings& settings, std::function<bool()> time_is_up);

// Tags the random operators that are recomputed, so that the state of their generator is saved. Returns whether there
// are any.
bool tag_recomputed_random(JointGraph& joint, const SavedValues& choice);

// The values to save, with what is known of how good that is. Throws Failure (NoPartition) where the limit cannot be
// met: with the least that can be, and what holds it up.
SavedValues save_within_limit(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                              const SearchLimits& search);

}  // namespace fxcut
