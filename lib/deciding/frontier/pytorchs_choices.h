// What PyTorch would save, as choices of the frontier solver's to begin with.
#pragma once

#include <vector>

#include "cost/analysis.h"
#include "frontier/evaluate.h"

namespace fxcut {

inline constexpr std::size_t kPytorchsChoices = 3;  // at most

// What each of the minimum cuts keeps that PyTorch's choose_saved_values_set solves under smaller and smaller memory
// budgets: with the bans of the settings, with those gone that only spare time, and with that on costly operators gone.
// A cut that is not possible is left out. A choice may be infeasible, where PyTorch runs again what must not be.
std::vector<KeptStorages> pytorchs_choices(const Analysis& analysis, const RecomputeProblem& problem);

}  // namespace fxcut
