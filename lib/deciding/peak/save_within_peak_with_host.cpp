#include "peak/save_within_peak_with_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "diagnostic/diagnostic.h"
#include "frontier/fixings.h"
#include "frontier/hull.h"
#include "frontier/pytorchs_choices.h"
#include "frontier/save_within_limit.h"
#include "frontier/with_forms.h"
#include "host/host_bound.h"
#include "peak/host_trials.h"
#include "peak/rest_of_backward.h"
#include "peak/search_within_peak.h"
#include "peak/unavoidable.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

// Work, as frontier/work_budget.h counts it. Each try simulates a step, so that tries of each storage would be quadratic: half a
// second where there are few storages, otherwise at most a fixed amount for each item, half of it without a better plan.
constexpr std::size_t kFewToImprove = 400;  // storages
constexpr std::int64_t kImprovingFew = 100'000'000, kImprovingAnItem = 20'000;
constexpr std::size_t kMaxBetween = 128;               // choices on the edges of the hull
constexpr std::size_t kFewOpen = 8;                     // 6,561 plans
constexpr int kMaxTimesLowered = 4;                    // the least peak
constexpr std::int64_t kSearches = 12;                  // for each bound

// Choices without copies, to which copies are added. All but those found within the limit are the same whatever the limit.
class WithoutCopies {
 public:
  // All are kept by reference.
  WithoutCopies(const Analysis& analysis, const RecomputeProblem& problem, const StorageBytes& storages,
                const SearchLimits& limits)
      : a_(analysis), problem_(problem), storages_(storages), limits_(limits), pytorchs_(pytorchs_choices(analysis, problem)) {}

  // Calls `offer` with each: those of the lowest peak and within the limit, PyTorch's, and on the hull of the frontier. The
  // search for the lowest peak is the same for every limit below it (search_within_peak.h), so it is made once.
  void for_each(const MemoryLimit& limit, const std::function<void(const KeptStorages&)>& offer) {
    if (limit.is_least) find_lowest();
    const bool is_below = lowest_ && limit.bytes <= lowest_->lowest.peak_bytes;
    const std::optional<PeakAnswer> alone = limit.is_least || is_below ? lowest_ : search(limit);
    if (alone) offer(alone->lowest.kept);
    if (alone && alone->choice && (limit.is_least || alone->choice->peak_bytes <= limit.bytes)) offer(alone->choice->kept);
    for (const KeptStorages& kept : pytorchs_) offer(kept);
    if (!hull_) hull_ = trace_hull(problem_);
    for (const HullCorner& corner : hull_->corners) offer(corner.choice.kept);
    const std::vector<Choice>& between = hull_->between;  // as many as there are storages
    const std::size_t some = std::min(between.size(), kMaxBetween);
    for (std::size_t i = 0; i < some; ++i) offer(between[i * between.size() / some].kept);
  }

  std::int64_t steps() const { return steps_; }  // of work, as frontier/work_budget.h counts it

 private:
  void find_lowest() {
    if (!lowest_) lowest_ = search({.is_least = true});
  }

  std::optional<PeakAnswer> search(const MemoryLimit& limit) {
    std::optional<PeakAnswer> found = search_within_peak(a_, problem_, storages_, limit, limits_, pytorchs_);
    if (found) steps_ += found->steps;
    return found;
  }

  const Analysis& a_;
  const RecomputeProblem& problem_;
  const StorageBytes& storages_;
  const SearchLimits& limits_;
  std::vector<KeptStorages> pytorchs_;
  std::optional<PeakAnswer> lowest_;
  std::optional<Hull> hull_;
  std::int64_t steps_ = 0;
};

class HostSearch {
 public:
  // `for_lowest`: it is the lowest peak that counts, whatever its plan costs.
  HostSearch(const Analysis& analysis, const RecomputeProblem& problem, const StorageBytes& storages,
             const std::vector<Int128>& times, const SearchLimits& limits, std::int64_t limit_bytes, bool for_lowest)
      : a_(analysis), problem_(problem), limits_(limits), limit_bytes_(limit_bytes), for_lowest_(for_lowest),
        simulation_(analysis, problem, storages), uses_(analysis, problem, times), channel_{channel_of(analysis.settings), times},
        trials_(problem, simulation_, uses_, channel_, limit_bytes) {}

  // `known`: plans to begin with.
  void run(WithoutCopies& without, const std::vector<StorageStates>& known) {
    if (try_all()) return;
    for (const StorageStates& states : known) trials_.offer(states);
    const MemoryLimit limit{for_lowest_ && limit_bytes_ == 0, limit_bytes_};
    without.for_each(limit, [&](const KeptStorages& available) { offer_with_copies(available); });
    change();
    if (!trials_.best() || for_lowest_) return;
    bound_between_sides();
    bound_at_position();
    change();
  }

  const HostTrials& trials() const { return trials_; }
  Int128 bound() const { return std::min(bound_, trials_.best()->time); }
  std::int64_t steps() const { return steps_ + trials_.steps(); }

 private:
  using Assume = std::function<void(std::span<const StateChange>)>;

  void offer_with_copies(const KeptStorages& available) {
    for (const bool earliest : {false, true}) trials_.offer_with_copies(available, earliest);
  }

  void change() {
    if (!trials_.best()) return;
    const std::int64_t before = trials_.steps();
    std::int64_t better_at = before;
    const auto items = static_cast<std::int64_t>(problem_.items.size());
    const bool are_few = problem_.storages.size() <= kFewToImprove;
    const std::int64_t most = are_few ? kImprovingFew : items * kImprovingAnItem;
    const std::int64_t patience = are_few ? most : most / 2;
    const auto offer = [&](const StorageStates& states) {
      const bool is_better = trials_.offer(states);
      if (is_better) better_at = trials_.steps();
      return is_better;
    };
    const auto is_done = [&] {
      const std::int64_t now = trials_.steps();
      return now - before >= most || now - better_at >= patience || trials_.best()->time <= bound_;
    };
    change_while_better(problem_,
                        {.best = [&] { return trials_.states_of_best(); },
                         .offer = offer,
                         .is_done = is_done,
                         .may_be_better = [&](std::span<const StateChange> changes) { return may_be_better(changes); },
                         .assume = for_lowest_ ? Assume() : Assume([&](auto changes) { trials_.assume(changes); }),
                         .forget_assumed = [&] { trials_.forget_assumed(); },
                         .may_keep = [&](StorageIndex s) { return trials_.may_keep(s); },
                         .copies_kept = for_lowest_});  // a copy more may lower the peak, but only takes longer
  }

  // Changes of copies, and of several storages, may lower the peak at whatever time.
  bool may_be_better(std::span<const StateChange> changes) {
    const auto is_available = [](StorageState state) { return state != StorageState::Recomputed; };
    if (for_lowest_ && changes.size() > 1) return true;
    if (for_lowest_ && is_available(changes.front().state) == trials_.is_available_in_best(changes.front().storage)) return true;
    return trials_.may_be_better(changes);
  }

  // Whether there are few enough plans.
  bool try_all() {
    const auto state = propagate(problem_, all_open(problem_), kNoLimit);
    if (!state) return false;
    std::vector<StorageIndex> open;
    bool is_all = true;  // no storage has another value that may be copied
    StorageStates states(problem_.storages.size(), StorageState::Kept);
    for (StorageIndex s = 1; s < states.size(); ++s) {
      const Fixing fixing = state->fixings[s];
      const bool may_move = uses_.movable().may_move(s);
      if (fixing == Fixing::Open || (fixing == Fixing::Kept && may_move)) open.push_back(s);
      is_all = is_all && (!may_move || uses_.movable().base_of(s) == kNoItem);
      if (fixing != Fixing::Kept) states[s] = StorageState::Recomputed;
    }
    if (open.size() > kFewOpen) return false;
    const StorageStates first = states;
    std::size_t plans = 1;
    for (std::size_t i = 0; i < open.size(); ++i) plans *= 3;
    for (std::size_t plan = 0; plan < plans; ++plan) {
      std::size_t digits = plan;
      for (const StorageIndex s : open) {
        const auto next = static_cast<StorageState>((static_cast<std::size_t>(first[s]) + digits % 3) % 3);
        states[s] = next;
        digits /= 3;
      }
      trials_.offer(states);
    }
    if (is_all && trials_.best()) bound_ = trials_.best()->time;
    return is_all;
  }

  void bound_by(const RecomputeProblem& problem, std::int64_t limit_bytes, const BoundWork& work) {
    HostBound bound(problem, uses_.movable(), channel_.channel, limit_bytes, limits_, work);
    const Int128 found = bound.find([&] { return std::optional(trials_.best()->time); },
                                    [&](const KeptStorages& available) { offer_with_copies(available); });
    bound_ = std::max(bound_, found);
    steps_ += bound.steps();
  }

  void bound_between_sides() {
    const Unavoidable unavoidable = find_unavoidable(problem_, a_, simulation_);
    bound_by(problem_, limit_bytes_ + beyond_limit(problem_, unavoidable), {.searches = kSearches, .both_ways = true});
  }

  // A bound from the values that the backward needs after the position at which most is in use for certain: each is in memory
  // there, or comes from the host, or is recomputed later.
  void bound_at_position() {
    if (bound_ >= trials_.best()->time) return;
    const Unavoidable whole = find_unavoidable(problem_, a_, simulation_);
    const auto position = static_cast<BackwardPosition>(std::ranges::max_element(whole.bytes) - whole.bytes.begin());
    RestOfBackward rest(problem_, a_, simulation_, position);
    for (StorageIndex s = 1; s < problem_.storages.size(); ++s) {
      const bool adds = std::ranges::any_of(rest.unavoidable.kept[s], [&](const Span& span) {
        return span.first <= position && position <= span.last;
      });
      rest.problem.storages[s].bytes = adds ? rest.unavoidable.memory[s] : 0;
    }
    bound_by(rest.problem, limit_bytes_ - static_cast<std::int64_t>(rest.unavoidable.bytes[position]),
             {.searches = kSearches, .both_ways = false});
  }

  const Analysis& a_;
  const RecomputeProblem& problem_;
  const SearchLimits& limits_;
  std::int64_t limit_bytes_;
  bool for_lowest_;
  StepSimulation simulation_;
  StorageUses uses_;
  CopyChannel channel_;
  HostTrials trials_;
  Int128 bound_ = 0;
  std::int64_t steps_ = 0;
};

Failure unmet(const HostTrials& trials, std::int64_t limit_bytes) {
  const std::string text =
      fmt::format("found no decision with a peak of at most {} bytes, copies to the host included", limit_bytes);
  if (!trials.lowest()) return Failure(ExitStatus::NoPartition, text, "allow more, or more host memory with --host-bytes");
  const auto lowest = static_cast<std::int64_t>(trials.lowest()->peak_bytes);
  return Failure(ExitStatus::NoPartition, fmt::format("{}: the lowest found is {} bytes ({})", text, lowest, show_bytes(lowest)),
                 fmt::format("allow {} bytes, or more host memory with --host-bytes", lowest));
}

// The lowest peak of all plans that are tried: copies are added as long as they lower it, and then within a limit below that.
std::int64_t find_lowest(const auto& search_at) {
  std::optional<Int128> lowest;
  for (int round = 0; round < kMaxTimesLowered; ++round) {
    const auto search = search_at(lowest ? static_cast<std::int64_t>(*lowest) - 1 : 0, true);
    const auto& found = search->trials().lowest();
    if (!found || (lowest && found->peak_bytes >= *lowest)) break;
    lowest = found->peak_bytes;
  }
  return lowest ? static_cast<std::int64_t>(*lowest) : 0;
}

// The fastest plan within the limit, or the one with the lowest peak, with the facts known about it. Throws Failure
// (NoPartition).
struct FoundHostPlan {
  HostPlan plan;
  StorageStates states;
  std::int64_t limit_bytes = 0;
  Int128 bound = 0;
  std::size_t tried = 0;
  std::int64_t steps = 0;
};

FoundHostPlan find_plan(const Analysis& analysis, const RecomputeProblem& problem, const StorageBytes& storages,
                        const MemoryLimit& limit, const SearchLimits& limits, const std::vector<StorageStates>& known = {}) {
  const std::vector<Int128> times = run_times(analysis, estimator_of_frontier(analysis.settings));
  WithoutCopies without(analysis, problem, storages, limits);
  std::int64_t steps = 0;
  const auto search_at = [&](std::int64_t limit_bytes, bool for_lowest = false) {
    auto search = std::make_unique<HostSearch>(analysis, problem, storages, times, limits, limit_bytes, for_lowest);
    search->run(without, known);
    steps += search->steps();
    return search;
  };
  const std::int64_t limit_bytes = limit.is_least ? find_lowest(search_at) : limit.bytes;
  const auto search = search_at(limit_bytes);
  if (!search->trials().best()) throw unmet(search->trials(), limit_bytes);
  return {*search->trials().best(), search->trials().states_of_best(), limit_bytes, search->bound(), search->trials().tried(),
          steps + without.steps()};
}

}  // namespace

SavedValues save_within_peak_with_host(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                                       const SearchLimits& limits) {
  const RecomputeProblem alone = operators_problem(analysis, storages, estimator_of_frontier(analysis.settings));
  const RecomputeProblem problem = with_allowed_forms(analysis, alone);
  const std::vector<StorageStates> known =
      found_without_forms(problem, [&] { return find_plan(analysis, alone, storages, limit, limits).states; });
  const FoundHostPlan found = find_plan(analysis, problem, storages, limit, limits, known);
  const HostPlan& plan = found.plan;
  const bool is_proven = plan.time == found.bound;
  SavedValues choice = saved_by_frontier(analysis, problem, plan.available,
                                         {.limit_bytes = plan.on_device,
                                          .saved_bytes = plan.on_device,
                                          .run_cost = plan.time,
                                          .bound = found.bound,
                                          .is_proven = is_proven,
                                          .steps = found.steps,
                                          .ended_by = is_proven ? EndedBy::Proof : EndedBy::Exhausted,
                                          .peak = PeakLimitFacts{found.limit_bytes, found.tried, found.bound},
                                          .host = HostFacts{plan.on_host, plan.waiting}});
  for (const StorageUse& copied : plan.copied) choice.to_host.insert(copied.value);
  return choice;
}

}  // namespace fxcut
