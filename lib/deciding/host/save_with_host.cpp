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

  // Tries choices that other solvers make, and those on the hull of the frontier.
  void try_choices(const std::vector<KeptStorages>& candidates) {
    for (const KeptStorages& kept : candidates) offer(kept);
    const Hull hull = trace_hull(problem_);
    for (const HullCorner& corner : hull.corners) offer(corner.choice.kept);
    for (const Choice& choice : hull.between) offer(choice.kept);
  }

  // Improves the best plan, and finds a bound, which tries further plans on the way.
  void improve() {
    change();
    find_bound();
    change();
  }

  const std::optional<Plan>& best() const { return best_; }
  Wide bound() const { return best_ ? std::min(bound_, best_->time) : bound_; }
  std::int64_t steps() const { return steps_ + work_; }

 private:
  void change() {
    if (!best_) return;
    change_while_better({[&] { return states_of_best(); }, [&](const StorageStates& states) { return offer(states); },
                         [&] { return work_ >= kMostImproving || best_->time <= bound_; }});
  }

  bool offer(const KeptStorages& kept) {
    work_ += static_cast<std::int64_t>(problem_.items.size());
    const Outcome outcome = evaluation_.run(kept);
    if (!outcome.feasible || (best_ && outcome.run_cost >= best_->time)) return false;
    const auto copies = choose_copies(uses_.of(evaluation_), outcome.bytes - limit_bytes_, uses_.forward_time(), channel_);
    if (!copies) return false;
    const Wide time = outcome.run_cost + static_cast<Wide>(copies->waiting);
    if (best_ && time >= best_->time) return false;
    best_ = Plan{evaluation_.used(), outcome, *copies, time};
    return true;
  }

  StorageStates states_of_best() const {
    StorageStates states(problem_.storages.size(), StorageState::Recomputed);
    for (StorageIndex s = 0; s < states.size(); ++s) {
      if (best_->available[s]) states[s] = StorageState::Kept;
    }
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
                        [&](const KeptStorages& available) { offer(available); });
    steps_ += bound.steps();
  }

  const RecomputeProblem& problem_;
  const SearchLimits& limits_;
  std::int64_t limit_bytes_;
  HostChannel channel_;
  Evaluation evaluation_;
  StorageUses uses_;
  std::optional<Plan> best_;
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
