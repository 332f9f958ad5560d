// The choices that recompute least for a number of saved bytes, which is changed until their peak is near a limit.
//
// The search within a limit of saved bytes is exact, or has a bound near its answer (frontier/budget_search.h). That within a
// peak goes from choice to choice by small changes, and can end in one that is far from the best. What is saved is most of the
// peak, so the answers of the one are good initial choices of the other.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"
#include "frontier/work_budget.h"

namespace fxcut {

struct ChoicesSavingMost {
  std::vector<KeptStorages> choices;
  std::int64_t steps = 0;  // of work, as frontier/work_budget.h counts it
};

// `peak_of`: the peak of a choice, in bytes. Ends early where the next choice costs `enough` or more: no better one can follow.
ChoicesSavingMost saving_most(const RecomputeProblem& problem, Int128 limit_bytes, Int128 enough, const HaltRequested& halt,
                              const std::function<Int128(const KeptStorages&)>& peak_of);

}  // namespace fxcut
