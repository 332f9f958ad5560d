#include "host/save_with_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "frontier/budget_search.h"
#include "frontier/hull.h"
#include "frontier/pytorchs_choices.h"
#include "frontier/save_within_limit.h"
#include "frontier/with_forms.h"
#include "frontier/work_budget.h"
#include "host/change_states.h"
#include "host/choose_copies.h"
#include "host/copy_estimate.h"
#include "host/copy_plans.h"
#include "host/fastest_plan.h"
#include "host/host_bound.h"
#include "host/host_channel.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

// Storages of which every plan is tried, and the steps that this may take (frontier/work_budget.h).
constexpr std::size_t kFewToTryEach = 64;
constexpr std::int64_t kTryingEach = 100'000'000;
constexpr std::size_t kMaxStarts = 24;           // plans that are improved: the fastest of the initial ones
constexpr std::size_t kMaxBetweenCorners = 128;  // initial choices on the edges of the hull
// Steps of the improvement, as frontier/work_budget.h counts them: a fixed number for few storages, a number per item for many.
constexpr std::size_t kFewToImprove = 400;
constexpr std::int64_t kImprovingFew = 400'000'000, kImprovingPerItem = 20'000;
constexpr std::int64_t kRandomSteps = 20'000'000;  // only with few storages
constexpr std::size_t kMaxRandomTries = 100'000;
constexpr std::int64_t kFirstBound = 10'000'000;  // steps of the first bound, of few storages
constexpr double kTooLittle = 2;  // picoseconds: smaller differences are rounding

class CopyPlanSearch {
 public:
  CopyPlanSearch(const RecomputeProblem& problem, CopyPlans& plans, const SearchLimits& limits)
      : problem_(problem), plans_(plans), limits_(limits), estimate_(problem, plans.movable(), plans.channel()) {
    for (StorageIndex s = 0; s < problem.storages.size(); ++s) {
      const bool may_move = plans.movable().may_move(s);
      has_base_.push_back(may_move && plans.movable().base_of(s) != kNoItem);
    }
    has_bases_ = std::ranges::find(has_base_, true) != has_base_.end();
    const auto items = static_cast<std::int64_t>(problem.items.size());
    const std::int64_t most = problem.storages.size() <= kFewToImprove ? kImprovingFew : items * kImprovingPerItem;
    most_improving_ = limits.with_at_most(most).most_steps;
  }

  // Starts from choices of other solvers and those on the hull of the frontier, each with the copies it needs.
  void try_choices(const std::vector<KeptStorages>& candidates) {
    start_without_copies(candidates);
    for (const KeptStorages& kept : candidates) start_from(kept);
    const Hull hull = trace_hull(problem_);
    for (const HullCorner& corner : hull.corners) start_from(corner.choice.kept);
    const std::size_t some = std::min(hull.between.size(), kMaxBetweenCorners);
    for (std::size_t i = 0; i < some; ++i) start_from(hull.between[i * hull.between.size() / some].kept);
  }

  // Skips the plan if an earlier start takes as long and copies as much.
  void start_from(std::optional<CopyPlan> plan) {
    if (!plan) return;
    const bool is_known = std::ranges::any_of(starts_, [&](const CopyPlan& start) {
      return start.time == plan->time && start.copies.bytes == plan->copies.bytes;
    });
    if (!best_ || plan->time < best_->time) best_ = plan;
    if (!is_known) starts_.push_back(*std::move(plan));
  }

  // Tries every plan of few storages. Of many, improves the fastest and finds a bound, trying further plans on the way. Where
  // improving takes far longer than a bound, it is only done if a first bound does not prove the fastest start to be the best.
  void improve() {
    const bool are_few = problem_.storages.size() <= kFewToTryEach && have_one_value_each(problem_, plans_.movable());
    if (are_few && is_best_of_all()) return;
    find_first_bound();
    improve_each();
    find_bound();
    improve_each();
    if (best_ && problem_.storages.size() <= kFewToImprove) change_at_random();
  }

  const std::optional<CopyPlan>& best() const { return best_; }
  Int128 bound() const { return best_ ? std::min(bound_, best_->time) : bound_; }
  std::int64_t steps() const { return steps_ + plans_.steps() + estimating_; }

 private:
  bool is_best_of_all() {
    FastestPlan all(problem_, plans_, kTryingEach);
    std::optional<CopyPlan> faster = all.find(best_ ? std::optional(best_->time) : std::nullopt);
    steps_ += all.steps();
    if (faster) start_from(std::move(faster));
    if (all.is_complete() && best_) bound_ = best_->time;
    return all.is_complete();
  }

  void start_from(const KeptStorages& kept) {
    start_from(plans_.with_saved_values(kept));
    if (has_bases_) start_from(plans_.with_bases(kept));
  }

  // Starts from the best plan without copies, so that copies never make the decision slower.
  void start_without_copies(const std::vector<KeptStorages>& candidates) {
    const BudgetAnswer alone = search_within(problem_, plans_.limit_bytes(), limits_, candidates);
    steps_ += alone.steps;
    if (alone.choice) start_from(plans_.of(keeping(alone.choice->kept)));
  }

  // A plan that no single change or pair improves can be far from the best, so several are improved.
  void improve_each() {
    std::ranges::stable_sort(starts_, {}, &CopyPlan::time);
    if (starts_.size() > kMaxStarts) starts_.resize(kMaxStarts);
    std::optional<CopyPlan> fastest = std::move(best_);
    for (CopyPlan& start : starts_) {
      set_best(std::move(start));
      change();
      if (!fastest || best_->time < fastest->time) fastest = std::move(best_);
    }
    best_ = std::move(fastest);
    starts_.clear();
  }

  void change() { change_while_better(problem_, changing_best()); }

  // Changes several storages at once, which single changes and pairs do not reach.
  void change_at_random() {
    const std::int64_t before = plans_.steps() + estimating_;
    StateSearch search = changing_best();
    search.is_done = [&] { return plans_.steps() + estimating_ - before >= kRandomSteps || is_best_proven(); };
    fxcut::change_at_random(problem_, search, kMaxRandomTries);
    change();
  }

  StateSearch changing_best() {
    return {.best = [&] { return states_of(*best_); },
            .offer = [&](const StorageStates& states) { return offer(states); },
            .is_done = [&] { return is_improving_done() || is_best_proven(); },
            .may_be_better = [&](std::span<const StateChange> changes) { return may_be_better(changes); },
            .assume = [&](std::span<const StateChange> changes) { estimate_.assume(changes); },
            .forget_assumed = [&] { is_estimate_of_best_ = false; },
            .copies_kept = false,  // that only takes longer
            .has_base = has_base_};
  }

  bool is_best_proven() const { return best_ && best_->time <= bound_; }
  bool is_improving_done() const { return plans_.steps() + estimating_ >= most_improving_; }

  bool offer(const StorageStates& states) {
    std::optional<CopyPlan> plan = plans_.of(states, best_->time);
    if (!plan || plan->time >= best_->time) return false;
    set_best(std::move(plan));
    return true;
  }

  void set_best(std::optional<CopyPlan> plan) {
    best_ = std::move(plan);
    is_estimate_of_best_ = false;
  }

  bool may_be_better(std::span<const StateChange> changes) {
    const std::size_t before = estimate_.work();
    if (!std::exchange(is_estimate_of_best_, true)) {
      const auto [uses, forward_time] = plans_.uses_if_saved(*best_);
      estimate_.change_from(states_of(*best_), best_->only, uses, forward_time);
    }
    const bool may = estimate_.may_be_within(changes, plans_.limit_bytes(), estimate_.time() - kTooLittle);
    estimating_ += static_cast<std::int64_t>(estimate_.work() - before);
    return may;
  }

  void find_first_bound() {
    if (problem_.storages.size() > kFewToImprove) return;
    find_bound(limits_.with_at_most(kFirstBound), {.most_steps = kFirstBound}, [](const KeptStorages&) {});
  }

  void find_bound() {
    if (is_best_proven()) return;
    find_bound(limits_, {}, [&](const KeptStorages& available) { start_from(available); });
  }

  void find_bound(const SearchLimits& limits, const BoundWork& work, const HostBound::Offer& offer) {
    HostBound bound(problem_, plans_.movable(), plans_.channel(), plans_.limit_bytes(), limits, work);
    bound_ = std::max(bound_, bound.find([&] { return best_ ? std::optional(best_->time) : std::nullopt; }, offer));
    steps_ += bound.steps();
  }

  const RecomputeProblem& problem_;
  CopyPlans& plans_;
  const SearchLimits& limits_;
  std::vector<bool> has_base_;       // by storage
  bool has_bases_ = false;
  std::int64_t most_improving_ = 0;  // steps
  std::optional<CopyPlan> best_;
  CopyEstimate estimate_;
  bool is_estimate_of_best_ = false;
  std::vector<CopyPlan> starts_;     // not improved yet
  Int128 bound_ = 0;
  std::int64_t steps_ = 0, estimating_ = 0;
};

// The minimum on the device: the minimum without copies, or what remains of a choice with as much as possible copied, if that is
// less.
struct LeastOnDevice {
  std::int64_t bytes = 0;
  StorageStates states;
  KeptStorages alone;  // the least without copies
  std::int64_t steps = 0;
};

LeastOnDevice least_on_device(const Analysis& analysis, const RecomputeProblem& problem, CopyPlans& plans,
                              const SearchLimits& limits, std::vector<KeptStorages> candidates) {
  WorkBudget work({.most_steps = limits.most_steps}, problem.items.size());  // without a halt: any answer is better than none
  const LeastFound alone = find_least(analysis, problem, candidates, work);
  LeastOnDevice least{alone.choice.bytes, keeping(alone.choice.kept), alone.choice.kept, 0};
  candidates.push_back(alone.choice.kept);
  RecomputeProblem not_movable = problem;
  for (StorageIndex s = 1; s < problem.storages.size(); ++s) {
    if (plans.movable().may_move(s)) not_movable.storages[s].bytes = 0;
  }
  candidates.push_back(find_least(analysis, not_movable, {}, work).choice.kept);
  for (StorageIndex s = 1; s < problem.storages.size(); ++s) {
    if (plans.movable().may_move(s)) candidates.back()[s] = true;
  }
  for (const KeptStorages& kept : candidates) {
    const std::optional<StorageStates> states = plans.with_most_copies(kept);
    const std::optional<std::int64_t> bytes = states ? plans.bytes_on_device(*states) : std::nullopt;
    if (!bytes || *bytes >= least.bytes) continue;
    least.bytes = *bytes;
    least.states = *states;
  }
  least.steps = work.steps();
  return least;
}

Failure unmet(std::int64_t limit_bytes, const LeastOnDevice& least) {
  return Failure(
      ExitStatus::NoPartition,
      fmt::format("found no decision that holds at most {} bytes on the device, copies to the host included: the least "
                  "found is {} bytes ({})",
                  limit_bytes, least.bytes, show_bytes(least.bytes)),
      fmt::format("allow {} bytes or more host memory (--host-bytes), or 'least' for the lowest possible", least.bytes));
}

// The fastest plan, with what is known of it.
struct FoundPlan {
  CopyPlan plan;
  std::int64_t limit_bytes = 0;
  Int128 bound = 0;
  std::int64_t steps = 0;
};

// `known`: plans to begin with. Throws Failure (NoPartition) if nothing is found within the limit.
FoundPlan find_plan(const Analysis& analysis, const RecomputeProblem& problem, const MemoryLimit& limit,
                    const SearchLimits& limits, bool has_marks, const std::vector<StorageStates>& known = {}) {
  const std::vector<Int128> times = run_times(analysis, estimator_of_frontier(analysis.settings));
  std::vector<KeptStorages> candidates = pytorchs_choices(analysis, problem);
  CopyPlans plans(analysis, problem, times, has_marks);
  const LeastOnDevice least = least_on_device(analysis, problem, plans, limits, candidates);
  candidates.insert(candidates.begin(), least.alone);
  const std::int64_t limit_bytes = limit.is_least ? least.bytes : limit.bytes;
  plans.limit_to(limit_bytes);
  CopyPlanSearch search(problem, plans, limits);
  search.start_from(plans.of(least.states));
  for (const StorageStates& states : known) search.start_from(plans.of(states));
  search.try_choices(candidates);
  search.improve();
  if (!search.best()) throw unmet(limit_bytes, least);
  return {*search.best(), limit_bytes, search.bound(), search.steps() + least.steps};
}

}  // namespace

SavedValues save_with_host(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                           const SearchLimits& limits, bool has_marks) {
  const RecomputeProblem alone = operators_problem(analysis, storages, estimator_of_frontier(analysis.settings));
  const RecomputeProblem problem = with_allowed_forms(analysis, alone);
  const std::vector<StorageStates> known =
      found_without_forms(problem, [&] { return states_of(find_plan(analysis, alone, limit, limits, has_marks).plan); });
  const FoundPlan found = find_plan(analysis, problem, limit, limits, has_marks, known);
  const CopyPlan& plan = found.plan;
  const bool is_proven = plan.time == found.bound;
  SavedValues choice = saved_by_frontier(analysis, problem, plan.available,
                                         {.limit_bytes = found.limit_bytes,
                                          .saved_bytes = plan.on_device,
                                          .run_cost = plan.time,
                                          .bound = found.bound,
                                          .is_proven = is_proven,
                                          .steps = found.steps,
                                          .ended_by = is_proven ? EndedBy::Proof : EndedBy::Exhausted,
                                          .host = HostFacts{plan.copies.bytes, static_cast<Int128>(plan.copies.waiting)}},
                                         plan.only);
  for (const StorageUse& copied : plan.copies.copied) choice.to_host.insert(copied.value);
  return choice;
}

}  // namespace fxcut
