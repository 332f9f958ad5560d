#include "peak/compiled_bound.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "frontier/budget_search.h"
#include "frontier/fixings.h"
#include "frontier/incumbent.h"
#include "frontier/lagrangian_bound.h"
#include "frontier/relaxation.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxCalls = 48;          // of libraries, that are looked at
constexpr std::size_t kMaxSearched = 3;        // moments whose bounds are raised by branch and bound
constexpr std::int64_t kStepsASearch = 40'000'000;  // of work (frontier/work_budget.h)

// The bound by relaxation at the price at which fewer bytes outweigh any recomputation.
Int128 least_bytes_at(const CertainMoment& moment, WorkBudget& work) {
  std::optional<FixedState> state = propagate(moment.problem, all_open(moment.problem), kNoLimit);
  if (!state) return moment.other_bytes;
  Relaxation relaxation(moment.problem, *std::move(state));
  Incumbent none(moment.problem, kNoLimit, work);
  const Price price = least_bytes(moment.problem);
  const PricedOptimum optimum = optimum_at(moment.problem, relaxation, none, price);
  return moment.other_bytes + optimum.value / price.run_cost;
}

// Nothing if no choice is within the limit.
std::optional<Int128> quick_bound(const CertainMoment& moment, std::int64_t limit_bytes, WorkBudget& work) {
  if (limit_bytes < 0) return std::nullopt;
  std::optional<FixedState> state = propagate(moment.problem, all_open(moment.problem), limit_bytes);
  if (!state) return std::nullopt;
  Relaxation relaxation(moment.problem, *std::move(state));
  Incumbent none(moment.problem, limit_bytes, work);
  const LagrangianBound bound = lagrangian_bound(moment.problem, relaxation, none);
  return bound.feasible ? std::optional(bound.run_cost) : std::nullopt;
}

// All calls, or that many at even distances.
std::vector<NodeId> spread(const std::vector<NodeId>& calls) {
  if (calls.size() <= kMaxCalls) return calls;
  std::vector<NodeId> some;
  for (std::size_t i = 0; i < kMaxCalls; ++i) some.push_back(calls[i * calls.size() / kMaxCalls]);
  return some;
}

}  // namespace

CompiledBounds::CompiledBounds(const Analysis& analysis, const RecomputeProblem& problem, const StepSimulation& simulation) {
  const CompiledMoments moments(analysis, problem, simulation);
  moments_.push_back(moments.between());
  for (const NodeId call : spread(moments.calls())) moments_.push_back(moments.at(call));
  WorkBudget work({}, problem.items.size());
  for (const CertainMoment& moment : moments_) floor_bytes_ = std::max(floor_bytes_, least_bytes_at(moment, work));
}

CompiledBound CompiledBounds::within(Int128 limit_bytes, WorkBudget& work) const {
  CompiledBound found;
  WorkBudget quick_work({}, moments_.front().problem.items.size());
  std::vector<std::pair<Int128, std::size_t>> bounds;
  for (std::size_t i = 0; i < moments_.size(); ++i) {
    const auto bytes = static_cast<std::int64_t>(limit_bytes - moments_[i].other_bytes);
    const std::optional<Int128> bound = quick_bound(moments_[i], bytes, quick_work);
    if (!bound) return {false, 0, {}};
    bounds.emplace_back(-*bound, i);
  }
  std::ranges::sort(bounds);
  if (bounds.size() > kMaxSearched) bounds.resize(kMaxSearched);
  for (const auto& [quick, i] : bounds) {
    const auto bytes = static_cast<std::int64_t>(limit_bytes - moments_[i].other_bytes);
    const BudgetAnswer answer = search_within(moments_[i].problem, bytes, {.most_steps = kStepsASearch});
    work.charge(static_cast<std::size_t>(answer.steps));
    if (!answer.choice && answer.is_proven) return {false, 0, {}};
    found.run_cost = std::max(found.run_cost, answer.bound);
    if (answer.choice) found.choices.push_back(answer.choice->kept);
  }
  return found;
}

}  // namespace fxcut
