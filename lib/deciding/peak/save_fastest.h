// The decision within a limit of saved bytes whose step takes the least time.
#pragma once

#include "cost/analysis.h"
#include "cost/size.h"
#include "finish/finish.h"
#include "frontier/work_budget.h"
#include "settings/memory_limit.h"
#include "solve/saved_values.h"

namespace fxcut {

// If kernels are priced (frontier/kernel_costs.h), the choice with the fastest predicted step (predicted_step.h) among that of
// save_within_limit(), the same by operators' prices, and PyTorch's choices within the limit, by cuts and by knapsack; its run
// cost may then be above the bound. Otherwise the choice of save_within_limit(). Throws as save_within_limit() does.
SavedValues save_fastest_within_limit(const Analysis& analysis, const StorageBytes& storages, const FinishingNeeds& needs,
                                      const MemoryLimit& limit, const SearchLimits& search);

}  // namespace fxcut
