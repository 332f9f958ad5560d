// What is saved under a memory budget below 1.
#pragma once

#include "solve/saved_values.h"

namespace fxcut {

// PyTorch's choose_saved_values_set from its first cut on, `choice`, which is solved already: cuts with fewer and fewer
// bans until one saves less than the budget, a share of what the first cut saves beyond the inputs; then a cut that may
// recompute what a knapsack leaves out.
SavedValues save_within_budget(const Analysis& analysis, double budget, SavedValues choice);

}  // namespace fxcut
