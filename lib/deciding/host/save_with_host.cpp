#include "host/save_with_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "frontier/hull.h"
#include "frontier/pytorchs_choices.h"
#include "frontier/save_within_limit.h"
#include "host/change_states.h"
#include "host/choose_copies.h"
#include "host/host_bound.h"
#include "host/host_channel.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

constexpr std::size_t kMostStarts = 24;               // plans that are improved, the fastest of those to begin with
constexpr std::int64_t kMostImproving = 400'000'000;  // items that the improvement looks at

// A choice of available storages, of which some are copied.
struct Plan {
  KeptStorages available;
  Outcome outcome;
  Copies copies;
  Wide time = 0;  // recomputing and waiting
};

class Search {
 public:
  Search(const Analysis& analysis, const RecomputeProblem& problem, const std::vector<Wide>& times, std::int64_t limit_bytes,
         const SearchLimits& limits)
      : problem_(problem), limits_(limits), limit_bytes_(limit_bytes), channel_(channel_of(analysis.settings)),
        evaluation_(problem), uses_(analysis, problem, times) {}

  // Begins with choices that other solvers make, and those on the hull of the frontier: each with the copies it needs, and the
  // fastest of them improved.
  void try_choices(const std::vector<KeptStorages>& candidates) {
    for (const KeptStorages& kept : candidates) begin_with(kept);
    const Hull hull = trace_hull(problem_);
    for (const HullCorner& corner : hull.corners) begin_with(corner.choice.kept);
    for (const Choice& choice : hull.between) begin_with(choice.kept);
    improve_each();
  }

  // Finds a bound, which tries further plans on the way.
  void improve() {
    find_bound();
    improve_each();
  }

  const std::optional<Plan>& best() const { return best_; }
  Wide bound() const { return best_ ? std::min(bound_, best_->time) : bound_; }
  std::int64_t steps() const { return steps_ + work_; }

 private:
  // A plan of which single changes, or pairs, make no better one can be far from the best: so several are improved.
  void improve_each() {
    std::ranges::stable_sort(starts_, {}, &Plan::time);
    if (starts_.size() > kMostStarts) starts_.resize(kMostStarts);
    std::optional<Plan> fastest = std::move(best_);
    for (Plan& start : starts_) {
      best_ = std::move(start);
      change();
      if (!fastest || best_->time < fastest->time) fastest = std::move(best_);
    }
    best_ = std::move(fastest);
    starts_.clear();
  }

  void change() {
    change_while_better(problem_, {[&] { return states_of_best(); }, [&](const StorageStates& states) { return offer(states); },
                                   [&] { return work_ >= kMostImproving || best_->time <= bound_; }});
  }

  // Unless a plan to begin with takes as long and copies as much.
  void begin_with(const KeptStorages& kept) {
    std::optional<Plan> plan = planned(kept);
    if (!plan) return;
    const bool is_known = std::ranges::any_of(starts_, [&](const Plan& start) {
      return start.time == plan->time && start.copies.bytes == plan->copies.bytes;
    });
    if (!best_ || plan->time < best_->time) best_ = plan;
    if (!is_known) starts_.push_back(*std::move(plan));
  }

  std::optional<Plan> planned(const KeptStorages& kept) {
    work_ += static_cast<std::int64_t>(problem_.items.size());
    const Outcome outcome = evaluation_.run(kept);
    if (!outcome.feasible) return std::nullopt;
    auto copies = choose_copies(uses_.of(evaluation_), outcome.bytes - limit_bytes_, uses_.forward_time(), channel_);
    if (!copies) return std::nullopt;
    const Wide time = outcome.run_cost + static_cast<Wide>(copies->waiting);
    return Plan{evaluation_.used(), outcome, *std::move(copies), time};
  }

  StorageStates states_of_best() const {
    StorageStates states = keeping(best_->available);
    for (const StorageUse& copied : best_->copies.copied) states[copied.storage] = StorageState::Copied;
    return states;
  }

  bool offer(const StorageStates& states) {
    work_ += static_cast<std::int64_t>(problem_.items.size());
    const Outcome outcome = evaluation_.run(available_in(states));
    if (!outcome.feasible || outcome.run_cost >= best_->time) return false;
    Copies copies{uses_.of(evaluation_), 0, 0};
    std::erase_if(copies.copied, [&](const StorageUse& use) { return states[use.storage] != StorageState::Copied; });
    for (const StorageUse& use : copies.copied) copies.bytes += use.bytes;
    if (outcome.bytes - copies.bytes > limit_bytes_ || copies.bytes > channel_.most_bytes) return false;
    copies.waiting = waiting_for(copies.copied, uses_.forward_time(), channel_);
    const Wide time = outcome.run_cost + static_cast<Wide>(copies.waiting);
    if (time >= best_->time) return false;
    best_ = Plan{evaluation_.used(), outcome, std::move(copies), time};
    return true;
  }

  void find_bound() {
    HostBound bound(problem_, uses_, channel_, limit_bytes_, limits_);
    bound_ = bound.find([&] { return best_ ? std::optional(best_->time) : std::nullopt; },
                        [&](const KeptStorages& available) { begin_with(available); });
    steps_ += bound.steps();
  }

  const RecomputeProblem& problem_;
  const SearchLimits& limits_;
  std::int64_t limit_bytes_;
  HostChannel channel_;
  Evaluation evaluation_;
  StorageUses uses_;
  std::optional<Plan> best_;
  std::vector<Plan> starts_;  // that are not improved yet
  Wide bound_ = 0;
  std::int64_t steps_ = 0, work_ = 0;
};

}  // namespace

SavedValues save_with_host(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                           const SearchLimits& limits) {
  const Estimator& estimator = estimator_of_frontier(analysis.settings);
  const std::vector<Wide> times = run_times(analysis, estimator);
  const RecomputeProblem problem = costed_problem(analysis, storages, estimator);
  const std::int64_t limit_bytes = limit.is_least ? 0 : limit.bytes;
  Search search(analysis, problem, times, limit_bytes, limits);
  search.try_choices(pytorchs_choices(analysis, problem));
  search.improve();
  if (!search.best()) {
    throw Failure(ExitStatus::NoPartition,
                  fmt::format("found no decision that holds at most {} on the device, copies to the host included",
                              show_bytes(limit_bytes)),
                  "allow more with --saved-bytes, or more host memory with --host-bytes");
  }
  const Plan& plan = *search.best();
  const std::int64_t on_device = plan.outcome.bytes - plan.copies.bytes;
  SavedValues choice = saved_by_frontier(
      analysis, problem, plan.available,
      {.limit_bytes = limit_bytes,
       .saved_bytes = on_device,
       .run_cost = plan.time,
       .bound = search.bound(),
       .is_proven = plan.time == search.bound(),
       .steps = search.steps(),
       .ended_by = plan.time == search.bound() ? EndedBy::Proof : EndedBy::Exhausted,
       .host = HostFacts{plan.copies.bytes, static_cast<Wide>(plan.copies.waiting)}});
  for (const StorageUse& copied : plan.copies.copied) choice.to_host.insert(copied.value);
  return choice;
}

}  // namespace fxcut
