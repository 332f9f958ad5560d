// The search for saved bytes at all sizes together (frontier/search_within_each.h), on the graphs.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "frontier/search_within_each.h"
#include "frontier/unmet_limit.h"
#include "frontier/work_budget.h"
#include "graph/graph.h"
#include "graph/symbol_hints.h"
#include "partition/frontier_steps.h"
#include "policy/policy_stack.h"
#include "report/report.h"
#include "settings/settings.h"

namespace fxcut {

// The failure with the hints in front of each message.
Failure at_size(const Failure& failure, const SymbolHints& hints);

class EachSize {
 public:
  // The limits are those of saved bytes in the settings, or of their memory budget at each size; with a limit of the peak there
  // are none yet. Throws Failure (NoPartition) if the minimum cut does not decide a graph. `sizes` is kept by reference.
  EachSize(const std::vector<JointGraph>& sizes, const Settings& settings, const PolicyStack& policies);

  // Whether there is something to decide, and the same at each size.
  bool is_one_problem() const { return is_one_problem_; }
  // Whether kernels are priced (frontier/kernel_costs.h), so that steps are compared by their predicted times.
  bool prices_kernels() const { return sized_.front().problem.prices_kernels; }
  std::vector<Int128> limits() const;  // in bytes, by size

  // The best choice that is within each limit: by the sum of costs, or by that at `only`. If the limits are the least at each
  // size and no choice is within all, they rise. Throws Failure (NoPartition) with the size if nothing is within the limit there.
  ChoiceForEach search(std::optional<std::size_t> only, const SearchLimits& limits);

  // The same within other limits of saved bytes; nothing is kept if none is found.
  ChoiceForEach search_within(const std::vector<Int128>& limits, std::optional<std::size_t> only, const SearchLimits& search);

  // The storages that a decision keeps.
  KeptStorages kept_by(const Report& report) const;
  // By the prices of the solver, at each size.
  std::vector<Outcome> outcomes(const KeptStorages& kept) const { return outcomes_of(sized_, kept); }

 private:
  LeastFound least_at(std::size_t at) const;
  void count(std::optional<std::size_t> only);
  void raise_limits(const std::vector<KeptStorages>& candidates);
  void refuse_where_impossible() const;

  const std::vector<JointGraph>& graphs_;
  std::vector<std::unique_ptr<FrontierSteps>> steps_;
  std::vector<ProblemAtSize> sized_;
  std::vector<KeptStorages> least_;  // if the limit is the least at each size: the choices that have it
  bool is_one_problem_ = true;
};

}  // namespace fxcut
