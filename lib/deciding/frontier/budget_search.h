// The least recomputation within a limit of bytes, proven, or with a bound on the optimum.
//
// First the relaxation's bound (lagrangian_bound.h) of the whole problem, and choices found on the way and by local search.
// Then the cheapest path through the states of the decision (path_search.h), which is the optimum. Where these are too many,
// branch and bound: the part with the least bound is split by fixing a storage as kept in one half and as dropped in the
// other. A part whose bound is no better than the best choice so far is settled. If the search ends earlier, the least bound
// of the remaining parts is the bound.
//
// Where layers repeat, a bound in bytes keeps a fraction of one of many equal storages. Each part is therefore also bounded
// within a limit in whole units of one size (rounded_limit.h): the size that bounds the whole problem best.
#pragma once

#include <optional>
#include <vector>

#include "frontier/incumbent.h"
#include "frontier/relaxation.h"
#include "frontier/work_budget.h"

namespace fxcut {

struct BudgetAnswer {
  std::optional<Choice> choice;  // nothing if no choice is within the limit
  Int128 bound = 0;              // no choice within the limit costs less
  bool is_proven = false;        // the choice is optimal
  Price price;                   // of a byte, at which the hull crosses the limit
  std::int64_t cuts = 0;         // that were solved
  std::int64_t parts = 0;        // that were examined
  std::int64_t steps = 0;        // of work, as work_budget.h counts it
  EndedBy ended_by = EndedBy::Proof;
};

// `candidates`: initial choices, of which those above the limit and infeasible ones are ignored.
BudgetAnswer search_within(const RecomputeProblem& problem, std::int64_t limit_bytes, const SearchLimits& limits,
                           const std::vector<KeptStorages>& candidates = {});

}  // namespace fxcut
