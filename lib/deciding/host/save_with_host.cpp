#include "host/save_with_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cost/estimators.h"
#include "diagnostic/diagnostic.h"
#include "frontier/budget_search.h"
#include "frontier/hull.h"
#include "frontier/pytorchs_choices.h"
#include "frontier/save_within_limit.h"
#include "host/choose_copies.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

// Searches for the bound: so many, by the size of the problem.
constexpr std::int64_t kItemsOfSearches = 60'000, kFewestSearches = 24, kMostSearches = 240;
constexpr Wide kImpossible = Wide{1} << 120;
constexpr std::size_t kMostInPairs = 400;  // storages up to which two are changed at once
constexpr std::int64_t kMostImproving = 400'000'000;  // items that the improvement looks at

HostChannel channel_of(const Settings& settings) {
  constexpr double kBytesPerGb = 1024.0 * 1024.0 * 1024.0, kPicosecondsPerSecond = 1e12;
  return {kPicosecondsPerSecond / (settings.activation_offload_cpu_gpu_bw * kBytesPerGb),
          dialect_of(settings) != OffloadDialect::Aten,
          settings.host_bytes_limit ? settings.host_bytes_limit->bytes : std::numeric_limits<std::int64_t>::max()};
}

std::vector<Wide> run_times(const Analysis& a, const Estimator& estimator) {
  if (estimator.shown_unit != "ms") {
    throw Failure(ExitStatus::Usage,
                  fmt::format("offload=auto weighs copies against recomputation by the time of both, which the estimator '{}' does "
                              "not tell",
                              estimator.name),
                  "set activation_memory_budget_runtime_estimator to roofline or profile");
  }
  std::vector<NodeId> all;
  for (std::size_t i = 0; i < a.graph().size(); ++i) all.push_back(node_id(i));
  return cost_of_nodes(estimator, a.graph(), all, a.settings, a.joint.torch.release);
}

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
    change_while_better();
    find_bound();
    change_while_better();
  }

  const std::optional<Plan>& best() const { return best_; }
  Wide bound() const { return best_ ? std::min(bound_, best_->time) : bound_; }
  std::int64_t steps() const { return steps_ + work_; }

 private:
  void change_while_better() {
    if (!best_) return;
    bool is_better = true;
    while (is_better && work_ < kMostImproving && best_->time > bound_) is_better = change_each() || change_pairs();
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

  enum class State { Recomputed, Kept, Copied };
  static constexpr State kStates[] = {State::Recomputed, State::Kept, State::Copied};
  using States = std::vector<State>;  // by storage

  States states_of_best() const {
    States states(problem_.storages.size(), State::Recomputed);
    for (StorageIndex s = 0; s < states.size(); ++s) {
      if (best_->available[s]) states[s] = State::Kept;
    }
    for (const StorageUse& copied : best_->copies.copied) states[copied.storage] = State::Copied;
    return states;
  }

  bool offer(const States& states) {
    work_ += static_cast<std::int64_t>(problem_.items.size());
    KeptStorages available(states.size(), false);
    for (StorageIndex s = 0; s < states.size(); ++s) available[s] = states[s] != State::Recomputed;
    const Outcome outcome = evaluation_.run(available);
    if (!outcome.feasible || outcome.run_cost >= best_->time) return false;
    Copies copies{uses_.of(evaluation_), 0, 0};
    std::erase_if(copies.copied, [&](const StorageUse& use) { return states[use.storage] != State::Copied; });
    for (const StorageUse& use : copies.copied) copies.bytes += use.bytes;
    if (outcome.bytes - copies.bytes > limit_bytes_ || copies.bytes > channel_.most_bytes) return false;
    copies.waiting = waiting_for(copies.copied, uses_.forward_time(), channel_);
    const Wide time = outcome.run_cost + static_cast<Wide>(copies.waiting);
    if (time >= best_->time) return false;
    best_ = Plan{evaluation_.used(), outcome, std::move(copies), time};
    return true;
  }

  // Each storage in each other state, the others as they are.
  bool change_each() {
    bool any = false;
    for (StorageIndex s = 1; s < problem_.storages.size() && work_ < kMostImproving; ++s) {
      for (const State state : kStates) {
        States states = states_of_best();
        states[s] = state;
        any = offer(states) || any;
      }
    }
    return any;
  }

  bool change_pairs() {
    if (problem_.storages.size() > kMostInPairs) return false;
    bool any = false;
    for (StorageIndex a = 1; a < problem_.storages.size(); ++a) {
      for (StorageIndex b = a + 1; b < problem_.storages.size() && work_ < kMostImproving; ++b) {
        const States before = states_of_best();
        for (const State of_a : kStates) {
          for (const State of_b : kStates) {
            if (of_a == before[a] || of_b == before[b]) continue;
            States states = before;
            states[a] = of_a;
            states[b] = of_b;
            any = offer(states) || any;
          }
        }
      }
    }
    return any;
  }

  // The problem in which only some storages take up the limit: those that cannot be copied, and those that are used last in the forward
  // (or first in the backward) so late (so early) that copies hide no more of them than `hidden` bytes. Every plan is one of it.
  struct Part {
    RecomputeProblem problem;
    double hidden = 0;
  };
  // Available bytes of a part from `from` to `to`, and the bound of what recomputes within `to`.
  struct Range {
    std::int64_t from = 0, to = 0;
    Wide recomputing = 0;
  };

  Range range(const Part& part, std::int64_t from, std::int64_t to) {
    const BudgetAnswer answer = search_within(part.problem, to, limits_);
    if (answer.choice) offer(with_others(part, answer.choice->kept));
    steps_ += answer.steps;
    return {from, to, answer.choice || !answer.is_proven ? answer.bound : kImpossible};
  }

  // The kept storages of a part, and all that it does not count.
  KeptStorages with_others(const Part& part, KeptStorages kept) const {
    for (StorageIndex s = 1; s < kept.size(); ++s) {
      if (part.problem.storages[s].bytes == 0 && problem_.storages[s].bytes > 0) kept[s] = true;
    }
    return kept;
  }

  // Picoseconds that any plan waits for copies if it makes so many bytes of the part available.
  Wide least_wait(const Part& part, std::int64_t bytes) const {
    const double ways = channel_.overlaps ? 1 : 2;
    const double beyond = static_cast<double>(bytes) - static_cast<double>(limit_bytes_) - part.hidden;
    return static_cast<Wide>(std::max(0.0, std::floor(beyond * channel_.picoseconds_per_byte * ways)));
  }
  Wide bound_of(const Part& part, const Range& one) const { return one.recomputing + least_wait(part, one.from); }

  // The range with the least bound is split in the middle, so that the bounds of its halves are nearer to what is possible.
  Wide bound_of(const Part& part, std::int64_t searches) {
    std::int64_t all = limit_bytes_;
    for (const KeepableStorage& storage : part.problem.storages) all += storage.bytes;
    const std::int64_t first =
        limit_bytes_ + static_cast<std::int64_t>(std::clamp(part.hidden, 0.0, static_cast<double>(all - limit_bytes_)));
    std::vector<Range> ranges = {range(part, 0, first)};
    if (first < all) ranges.push_back(range(part, first, all));
    const auto bound = [&](const Range& one) { return bound_of(part, one); };
    for (std::int64_t i = 0; i < searches; ++i) {
      const auto lowest = std::ranges::min_element(ranges, {}, bound);
      const std::int64_t middle = lowest->from + (lowest->to - lowest->from) / 2;
      if ((best_ && bound(*lowest) >= best_->time) || lowest->from < first || middle <= lowest->from) break;
      const Range upper = {middle, lowest->to, lowest->recomputing};
      *lowest = range(part, lowest->from, middle);
      ranges.push_back(upper);
    }
    return bound(*std::ranges::min_element(ranges, {}, bound));
  }

  template <typename Counts>
  Part part_of(double hidden, const Counts& counts) const {
    Part part{problem_, hidden};
    for (StorageIndex s = 1; s < problem_.storages.size(); ++s) {
      if (uses_.may_move(s) && !counts(s)) part.problem.storages[s].bytes = 0;
    }
    return part;
  }

  // Each of the two directions from several times on; all bytes together are the first part.
  std::vector<Part> parts(std::size_t most) const {
    if (!channel_.overlaps) return {part_of(0, [](StorageIndex) { return true; })};
    const double per_byte = channel_.picoseconds_per_byte, recomputing = best_ ? static_cast<double>(best_->time) : 0;
    std::vector<double> last, first;
    for (StorageIndex s = 1; s < problem_.storages.size(); ++s) {
      if (!uses_.may_move(s)) continue;
      last.push_back(uses_.last_in_forward(s));
      if (uses_.latest_first_use(s) < kNoTime) first.push_back(uses_.latest_first_use(s));
    }
    std::vector<Part> all = {part_of(uses_.forward_time() / per_byte, [](StorageIndex) { return true; })};
    for (const double time : spread(std::move(last), most / 2)) {
      all.push_back(part_of((uses_.forward_time() - time) / per_byte,
                            [&](StorageIndex s) { return uses_.last_in_forward(s) >= time; }));
    }
    for (const double time : spread(std::move(first), most / 2)) {
      all.push_back(part_of((time + recomputing) / per_byte, [&](StorageIndex s) { return uses_.latest_first_use(s) <= time; }));
    }
    return all;
  }

  // At most so many of the times, evenly spread over them.
  static std::vector<double> spread(std::vector<double> times, std::size_t most) {
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    if (times.size() <= most) return times;
    std::vector<double> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(times[i * times.size() / most]);
    return some;
  }

  void find_bound() {
    const auto searches = std::clamp<std::int64_t>(kItemsOfSearches / static_cast<std::int64_t>(problem_.items.size() + 1), kFewestSearches,
                                                   kMostSearches);
    constexpr std::int64_t kInAPart = 6;  // but for the first, which takes half of all
    std::int64_t in_next = searches / 2;
    for (const Part& part : parts(static_cast<std::size_t>(searches / 2 / kInAPart))) {
      bound_ = std::max(bound_, bound_of(part, in_next));
      in_next = kInAPart;
      if (best_ && bound_ >= best_->time) return;
    }
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
