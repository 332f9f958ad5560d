// The frontier solver's decision under a limit of the peak, where storages may also be copied to the host.
//
// Each storage is kept, recomputed or copied, and the step is simulated with its copies (copied_memory.h): a copied value takes
// memory until its copy ends, and again from the beginning of the copy back. The initial plans are the best without copies
// (search_within_peak.h), PyTorch's decisions, and all decisions on the hull of the frontier of saved bytes, each with as many
// copies as bring its peak within the limit. The best of them is improved by changing single storages, or two at once
// (host/change_states.h). So the result is no slower than recomputing alone within the same limit, nor than PyTorch's decisions
// with copies of the values in use at their peak, earliest first. Where few storages are open, all plans are tried, which
// proves the optimum.
//
// The bound is host_bound.h's, at two times: between forward and backward, when all values that stay on the device are in memory
// together with the gradients that enter the backward; and at the position of the backward at which most bytes are in use for
// certain (unavoidable.h), for the values needed after it (rest_of_backward.h). It does not count the memory of recomputed
// values, nor that of copies in progress.
#pragma once

#include "cost/analysis.h"
#include "cost/size.h"
#include "frontier/work_budget.h"
#include "settings/memory_limit.h"
#include "solve/saved_values.h"

namespace fxcut {

// The values to save so that the simulated peak is within the limit, or the lowest that is found, and which of them to copy
// (SavedValues::to_host). Throws Failure: Usage if the estimator does not estimate times, NoPartition with the lowest peak
// found if none is within the limit.
SavedValues save_within_peak_with_host(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                                       const SearchLimits& search);

}  // namespace fxcut
