// PyTorch's decisions as initial ones of the frontier solver.
#pragma once

#include <vector>

#include "cost/analysis.h"
#include "frontier/evaluate.h"

namespace fxcut {

// The storages that the minimum cuts of PyTorch's choose_saved_values_set save under smaller and smaller memory budgets, by
// rounds of solve/memory_budget.h. Impossible cuts are left out. A decision may be infeasible, if PyTorch recomputes values
// that must not be.
std::vector<KeptStorages> pytorchs_choices(const Analysis& analysis, const RecomputeProblem& problem);

}  // namespace fxcut
