// The least recomputing within a limit of bytes, with a proof or with what is missing to one.
//
// Branch and bound: the relaxation's bound (lagrangian_bound.h) of the whole problem; then, of the part with the least
// bound, some storage is fixed as kept in one half and as dropped in the other. A part whose bound is no better than
// the best choice so far is settled. Where the search ends before all are, the least bound of those left is a bound for
// the whole.
#pragma once

#include <optional>
#include <vector>

#include "frontier/effort.h"
#include "frontier/incumbent.h"
#include "frontier/relaxation.h"

namespace fxcut {

struct BudgetAnswer {
  std::optional<Choice> choice;  // nothing where no choice is within the limit
  Wide bound = 0;                // no choice within the limit costs less
  bool is_proven = false;        // that the choice is the best
  Price price;                   // of a byte, where the hull crosses the limit
  std::int64_t cuts = 0;         // that were solved
  std::int64_t parts = 0;        // that were looked at
  std::int64_t steps = 0;        // of work, as effort.h counts it
  EndedBy ended_by = EndedBy::Proof;
};

// `candidates`: choices to begin with; what is not within the limit, or not feasible, does not count.
BudgetAnswer search_within(const RecomputeProblem& problem, std::int64_t limit_bytes, const SearchLimits& limits,
                           const std::vector<KeptStorages>& candidates = {});

}  // namespace fxcut
