// The values saved under a memory budget below 1.
#pragma once

#include "solve/saved_values.h"

namespace fxcut {

inline constexpr std::size_t kBanRounds = 3;

// The bans of PyTorch's cuts under smaller and smaller budgets: in round 0 those of the settings, in round 1 without
// those that only save time, in round 2 without that on costly operators.
BanOptions ban_options_of_round(const Settings& settings, std::size_t round);

// PyTorch's choose_saved_values_set from its first cut on: further rounds until one saves less than the budget, a share
// of the amount that the first cut saves above the inputs; then a cut that may recompute candidates that the knapsack
// does not save.
SavedValues save_within_budget(const Analysis& analysis, double budget, CutAnswer answer);

}  // namespace fxcut
