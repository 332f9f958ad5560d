// A lower bound of the recomputation of all decisions within a limit of the peak of compiled code, from the moments of its step
// (compiled_moments.h).
//
// At each moment the decision keeps to a limit of bytes, so its least recomputation has the same bound as one for saved bytes
// (frontier/budget_search.h). The highest bound of all moments counts. If there are many calls, only some are examined.
#pragma once

#include <optional>
#include <vector>

#include "frontier/evaluate.h"
#include "frontier/work_budget.h"
#include "peak/compiled_moments.h"

namespace fxcut {

struct CompiledBound {
  bool is_possible = true;            // false: no decision is within the limit
  Int128 run_cost = 0;                // no decision within it costs less
  std::vector<KeptStorages> choices;  // with the bounds' costs, or near: their peaks may be above the limit
};

class CompiledBounds {
 public:
  // All are kept by reference.
  CompiledBounds(const Analysis& analysis, const RecomputeProblem& problem, const StepSimulation& simulation);

  // No decision has a lower peak.
  Int128 floor_bytes() const { return floor_bytes_; }

  CompiledBound within(Int128 limit_bytes, WorkBudget& work) const;

 private:

  std::vector<CertainMoment> moments_;  // the one between the sides first
  Int128 floor_bytes_ = 0;
};

}  // namespace fxcut
