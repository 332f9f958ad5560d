// The frontier solver's decision if storages may also be copied to the host: each is kept, recomputed or copied.
//
// Recomputation depends only on what is available in the backward, kept or copied. So the search is for a set of available
// storages, all but the limit's bytes of which can be copied, that minimises the time to recompute the rest and to wait for
// copies. It starts from the best choices within larger limits (budget_search.h), larger by what copies hide and by what they
// take, and improves the fastest of them by changing single storages, or a few together with what they are made of
// (change_states.h). A storage is copied either as the value that the backward takes or as the base that this is a view of. The
// best decision without copies is one of the starts, so the result is never worse.
#pragma once

#include "cost/analysis.h"
#include "cost/size.h"
#include "frontier/work_budget.h"
#include "settings/memory_limit.h"
#include "solve/saved_values.h"

namespace fxcut {

// The values to save, and which of them to copy (SavedValues::to_host), so that those on the device are within the limit, at the
// settings' bandwidth and within their host memory; with a bound on the optimum. Throws Failure: Usage if the estimator does not
// estimate times, NoPartition if nothing is found within the limit. `has_marks`: the values that the graph or its policies mark
// are copied in any case.
SavedValues save_with_host(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                           const SearchLimits& search, bool has_marks);

}  // namespace fxcut
