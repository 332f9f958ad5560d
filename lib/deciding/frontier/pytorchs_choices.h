// PyTorch's decisions as initial ones of the frontier solver.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cost/analysis.h"
#include "frontier/evaluate.h"

namespace fxcut {

// The storages that the minimum cuts of PyTorch's choose_saved_values_set save under smaller and smaller memory budgets, by
// rounds of solve/memory_budget.h. Impossible cuts are left out. A decision may be infeasible, if PyTorch recomputes values
// that must not be.
std::vector<KeptStorages> pytorchs_choices(const Analysis& analysis, const RecomputeProblem& problem);

// The storages of PyTorch's decision, by its knapsack, under the largest memory budget of 0.1 to 0.9 that keeps at most that many
// bytes; nothing if none does.
std::optional<KeptStorages> pytorchs_choice_within(const Analysis& analysis, const RecomputeProblem& problem,
                                                   std::int64_t limit_bytes);

}  // namespace fxcut
