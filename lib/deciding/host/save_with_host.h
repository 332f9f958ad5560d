// The frontier solver's decision where storages may also be copied to the host: each is kept, recomputed or copied.
//
// Recomputation depends only on what is available in the backward, kept or copied alike. So the search is for available
// storages of which all but the limit's bytes can be copied: their recomputation takes as little time as it can, and the
// step waits for their copies as little as it can. It begins with the best choices within larger limits (budget_search.h),
// larger by what copies hide and by what they take, and improves the fastest of them by changing single storages, or some
// together with what they are made of (change_states.h). Of a storage either the value that the backward takes is copied, or the
// one that this is a view of. The best decision without copies is one of those to begin with, so that none is worse.
#pragma once

#include "cost/analysis.h"
#include "cost/size.h"
#include "frontier/effort.h"
#include "settings/memory_limit.h"
#include "solve/saved_values.h"

namespace fxcut {

// The values to save so that those on the device are within the limit, and of these which to copy (SavedValues::to_host), at the
// settings' bandwidth and within their host memory; with a bound on the optimum. Throws Failure: Usage if the estimator does not
// estimate times, NoPartition if nothing is found within the limit.
SavedValues save_with_host(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                           const SearchLimits& search);

}  // namespace fxcut
