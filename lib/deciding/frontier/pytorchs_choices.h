// What PyTorch would save, as choices of the frontier solver's to begin with.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cost/analysis.h"
#include "frontier/evaluate.h"
#include "solve/memory_budget.h"

namespace fxcut {

inline constexpr std::size_t kPytorchsChoices = kBanRounds;  // places

// What one of the minimum cuts keeps that PyTorch's choose_saved_values_set solves under smaller and smaller memory
// budgets: the place is a round of solve/memory_budget.h. Nothing where the cut is not possible. The choice may be
// infeasible, where PyTorch runs again what must not be.
std::optional<KeptStorages> pytorchs_choice(const Analysis& analysis, const RecomputeProblem& problem,
                                            std::size_t place);

// All of them that there are.
std::vector<KeptStorages> pytorchs_choices(const Analysis& analysis, const RecomputeProblem& problem);

}  // namespace fxcut
