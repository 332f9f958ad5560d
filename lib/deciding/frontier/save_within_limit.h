// The frontier solver's decision: what is saved under a limit of memory, so that the least is run again.
#pragma once

#include "cost/analysis.h"
#include "cost/storage.h"
#include "frontier/budget_search.h"
#include "settings/memory_limit.h"
#include "solve/saved_values.h"

namespace fxcut {

// Whether the settings ask for the frontier solver: it is named, and there is a limit.
bool uses_frontier(const Settings& settings, double budget);

// The limit that the settings give, or else that of the budget.
MemoryLimit limit_of(const Analysis& analysis, const StorageBytes& storages, double budget);

// As the settings say, but for the clock.
SearchLimits search_limits(const Settings& settings, HaltRequested halt);

// Tags the random operators that are recomputed, so that the state of their generator is saved. Returns whether there
// are any.
bool tag_recomputed_random(JointGraph& joint, const SavedValues& choice);

// The values to save, with what is known of how good that is. No worse than any of PyTorch's cuts that is within the
// limit. Throws Failure (NoPartition) where nothing within the limit was found: with whether that is proven, the least
// that was, and what holds it up.
SavedValues save_within_limit(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                              const SearchLimits& search);

// The decision to keep these storages.
SavedValues saved_by_frontier(const Analysis& analysis, const RecomputeProblem& problem, const KeptStorages& kept,
                              const FrontierFacts& facts);

}  // namespace fxcut
