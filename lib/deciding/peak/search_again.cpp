#include "peak/search_again.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "frontier/budget_search.h"
#include "frontier/fixings.h"
#include "host/change_states.h"
#include "peak/recompute_again.h"
#include "peak/spread_choices.h"
#include "peak/unavoidable.h"

namespace fxcut {
namespace {

constexpr double kHigherLimits[] = {1.15, 1.5};  // times the limit, in which the choice may be better before it is lowered
constexpr double kLargestLimit = 0x1p62;         // bytes; no limit at all may be as large as 64 bits allow
// Work, as frontier/work_budget.h counts it, for each of these: with few storages, and with many that much for each item.
constexpr std::size_t kFewInHigher = 400;
constexpr std::int64_t kMaxHigherSteps = 400'000'000, kHigherStepsAnItem = 10'000;
constexpr int kSpreadChoices = 24;
constexpr double kEarliestEnds[] = {0.3, 0.85};            // see spread_choices.h
constexpr std::size_t kMaxInPairsAgain = 40;          // storages up to which two are changed at once
// Work, as frontier/work_budget.h counts it, for each of two parts: to find the lowest peak, and then the least cost. A tenth of
// the latter may find nothing better. With many storages, where a try of each would be quadratic, that much for each item.
constexpr std::size_t kFewInAgain = 400;
constexpr std::int64_t kMaxAgainSteps = 1'000'000'000, kMinAgainSteps = 300'000'000, kAgainStepsAnItem = 70'000;
constexpr std::int64_t kMaxNearSteps = 150'000'000;     // the same, near a decision that was found before

class AgainSearch {
 public:
  AgainSearch(const Analysis& analysis, const RecomputeProblem& problem, const StorageBytes& storages, const SearchLimits& limits)
      : a_(analysis), problem_(problem), storages_(storages), limits_(limits), simulation_(analysis, problem, storages),
        evaluation_(problem), unavoidable_(find_unavoidable(problem, analysis, simulation_)), work_(to_find_lowest(limits), 0) {}

  std::optional<AgainAnswer> run(const MemoryLimit& limit, const std::vector<KeptStorages>& candidates) {
    std::optional<PeakAnswer> alone = search_within_peak(a_, problem_, storages_, limit, limits_, candidates);
    const bool is_met = alone && alone->choice;
    if (!is_met && !limit.is_least) alone = search_within_peak(a_, problem_, storages_, {.is_least = true}, limits_, candidates);
    if (!alone || !alone->choice) return std::nullopt;
    tried_ = alone->tried;
    const Int128 higher_than = is_met && !limit.is_least ? Int128{limit.bytes} : alone->choice->peak_bytes;
    bases_ = {alone->choice->kept, alone->lowest.kept};
    note({alone->choice->kept, alone->choice->run_cost, {.again = {}, .run_cost = 0, .peak_bytes = alone->choice->peak_bytes}});
    add_of_higher_limits(higher_than, candidates);
    add_spread(higher_than);
    if (limit.is_least || !is_met) find_lowest();
    work_ = WorkBudget(limited(limits_, problem_), 0);
    const Int128 limit_bytes = limit.is_least ? lowest() : Int128{limit.bytes};
    bound_ = find_bound(limit_bytes);
    return answer(limit_bytes, std::move(*alone));
  }

  std::optional<AgainAnswer> run_near(const MemoryLimit& limit, const KeptStorages& kept) {
    const auto state = propagate(problem_, all_open(problem_), kNoLimit);
    if (!state) return std::nullopt;
    for (const KeptStorages& near : {kept, with_operands(kept, state->fixings)}) {
      bases_.push_back(made_possible(with_inputs(near), state->fixings));
    }
    find_lowest();
    if (!lowest_plan_) return std::nullopt;
    work_ = WorkBudget(limited(limits_, problem_), 0);
    AgainAnswer found = answer(limit.is_least ? lowest() : Int128{limit.bytes}, {});
    if (!found.peak.choice) return std::nullopt;
    return found;
  }

 private:
  struct Plan {
    KeptStorages kept;
    Int128 run_cost = 0;  // with what is recomputed again
    AgainPlan again;
  };

  static SearchLimits to_find_lowest(SearchLimits limits) {
    if (limits.most_steps == 0) limits.most_steps = kMaxAgainSteps;
    return limits;
  }

  static SearchLimits limited(const SearchLimits& limits, const RecomputeProblem& problem) {
    if (limits.most_steps > 0) return limits;
    SearchLimits own = limits;
    const auto items = static_cast<std::int64_t>(problem.items.size());
    const bool are_few = problem.storages.size() <= kFewInAgain;
    own.most_steps = are_few ? kMaxAgainSteps : std::clamp(items * kAgainStepsAnItem, kMinAgainSteps, kMaxAgainSteps);
    return own;
  }

  std::int64_t most_higher_steps() const {
    const auto items = static_cast<std::int64_t>(problem_.items.size());
    return problem_.storages.size() <= kFewInHigher ? kMaxHigherSteps : std::min(kMaxHigherSteps, items * kHigherStepsAnItem);
  }

  void add_of_higher_limits(Int128 bytes, const std::vector<KeptStorages>& candidates) {
    SearchLimits brief = limits_;
    if (brief.most_steps == 0) brief.most_steps = most_higher_steps();
    for (const double times : kHigherLimits) {
      const auto higher = static_cast<std::int64_t>(std::min(static_cast<double>(bytes) * times, kLargestLimit));
      const auto found = search_within_peak(a_, problem_, storages_, {.bytes = higher}, brief, candidates);
      if (!found || !found->choice) continue;
      tried_ += found->tried;
      bases_.push_back(found->choice->kept);
    }
  }

  // The step's inputs take no memory that counts, and without one the choice may not be feasible.
  KeptStorages with_inputs(KeptStorages kept) const {
    for (StorageIndex s = 0; s < kept.size(); ++s) kept[s] = kept[s] || unavoidable_.memory[s] == 0;
    return kept;
  }

  // The choice with the storages that have to be kept, and without those that must not be.
  KeptStorages made_possible(KeptStorages kept, const Fixings& fixings) {
    for (StorageIndex s = 0; s < kept.size(); ++s) {
      if (fixings[s] != Fixing::Open) kept[s] = fixings[s] == Fixing::Kept;
    }
    for (bool is_changed = true; is_changed && !evaluation_.run(kept).feasible;) {
      is_changed = false;
      work_.charge(problem_.items.size());
      for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
        const Item& item = problem_.items[i];
        if (!evaluation_.is_recomputed(i) || item.never == Ban::None || !item.savable || kept[item.storage]) continue;
        kept[item.storage] = is_changed = true;
      }
    }
    return kept;
  }

  // Keeps the operands of the storages that are no longer kept.
  KeptStorages with_operands(KeptStorages kept, const Fixings& fixings) const {
    const KeptStorages given = kept;
    for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
      const StorageIndex s = problem_.items[i].storage;
      if (s == kNoStorage || !given[s] || fixings[s] != Fixing::Dropped) continue;
      for (const ItemIndex input : problem_.inputs_of(i)) {
        const StorageIndex of_input = problem_.items[input].storage;
        if (of_input != kNoStorage) kept[of_input] = true;
      }
    }
    return kept;
  }

  void add_spread(Int128 bytes) {
    const auto state = propagate(problem_, all_open(problem_), kNoLimit);
    if (!state) return;
    const SpreadChoices spread(problem_, unavoidable_, simulation_, a_, state->fixings);
    for (const double earliest : kEarliestEnds) {
      for (int i = 1; i <= kSpreadChoices; ++i) {
        bases_.push_back(with_inputs(spread.choice(2 * bytes * i / kSpreadChoices, earliest)));
      }
    }
  }

  // The result with the lowest peak; nothing if the choice's cost alone is not below `most`.
  std::optional<Plan> lowered(const KeptStorages& kept, Int128 limit_bytes, std::optional<Int128> most) {
    work_.charge(problem_.items.size());
    const Outcome outcome = evaluation_.run(kept);
    if (!outcome.feasible || (most && outcome.run_cost >= *most)) return std::nullopt;
    ++tried_;
    work_.charge(simulation_.steps_a_run());
    const StepSimulation::Result result = simulation_.run(evaluation_);
    BackwardWithDrops backward(a_, problem_, simulation_, evaluation_, result.forward_steps);
    Plan plan{kept, outcome.run_cost, recompute_again(backward, limit_bytes, work_)};
    plan.run_cost += plan.again.run_cost;
    return plan;
  }

  // Remembers it if its peak is the lowest so far: however soon the search has to end, this is an answer.
  void note(Plan plan) {
    if (!lowest_plan_ || plan.again.peak_bytes < lowest_plan_->again.peak_bytes) lowest_plan_ = std::move(plan);
  }
  Int128 lowest() const { return lowest_plan_ ? lowest_plan_->again.peak_bytes : 0; }

  void find_lowest() {
    for (const KeptStorages& kept : bases_) {
      if (work_.is_exhausted()) break;
      auto plan = lowered(kept, 0, std::nullopt);
      lowest_of_bases_.push_back(plan ? std::optional(plan->again.peak_bytes) : std::nullopt);
      if (plan) note(*std::move(plan));
    }
    if (work_.is_exhausted() && !lowest_of_bases_.empty()) lowest_of_bases_.pop_back();  // that one was not
  }

  // A choice that was lowered to the end gets no lower under another limit (recompute_again.h).
  bool may_be_within(std::size_t base, Int128 limit_bytes) const {
    if (base >= lowest_of_bases_.size()) return true;
    return lowest_of_bases_[base] && *lowest_of_bases_[base] <= limit_bytes;
  }

  bool offer(const KeptStorages& kept, Int128 limit_bytes) {
    auto plan = lowered(kept, limit_bytes, best_ ? std::optional(best_->run_cost) : std::nullopt);
    if (!plan || plan->again.peak_bytes > limit_bytes || (best_ && plan->run_cost >= best_->run_cost)) return false;
    best_ = std::move(plan);
    work_.note_better();
    return true;
  }

  void change(Int128 limit_bytes) {
    if (!best_) return;
    work_.watch_for_stagnation();
    change_while_better(problem_, {.best = [&] { return keeping(best_->kept); },
                                   .offer = [&](const StorageStates& states) { return offer(available_in(states), limit_bytes); },
                                   .is_done = [&] { return work_.is_exhausted() || best_->run_cost <= bound_; },
                                   .may_copy = false,
                                   .most_in_pairs = kMaxInPairsAgain});
  }

  Int128 find_bound(Int128 limit_bytes) const {
    const Int128 most =
        std::min(limit_bytes + beyond_limit(problem_, unavoidable_), Int128{std::numeric_limits<std::int64_t>::max()});
    return search_within(problem_, static_cast<std::int64_t>(most), limits_).bound;
  }

  // Within a limit below the lowest peak found so far the search is that for the lowest, which may end below it.
  AgainAnswer answer(Int128 limit_bytes, PeakAnswer alone) {
    const Int128 within = std::max(limit_bytes, lowest());
    if (lowest_plan_) best_ = lowest_plan_;
    for (std::size_t i = 0; i < bases_.size() && !work_.is_exhausted(); ++i) {
      if (may_be_within(i, within)) offer(bases_[i], within);
    }
    change(within);
    if (best_) note(*best_);
    if (best_ && best_->again.peak_bytes > limit_bytes) best_.reset();
    AgainAnswer found{std::move(alone), {}, lowest()};
    PeakAnswer& peak = found.peak;
    peak.limit_bytes = limit_bytes;
    peak.bound = bound_;
    peak.tried = tried_;
    peak.steps += work_.steps();
    peak.choice.reset();
    if (!best_) return found;
    peak.choice = PeakChoice{best_->kept, best_->run_cost, best_->again.peak_bytes};
    found.again = best_->again.again;
    peak.is_proven = best_->run_cost <= bound_;
    peak.ended_by = peak.is_proven ? EndedBy::Proof : work_.is_exhausted() ? *work_.ended_by() : EndedBy::Exhausted;
    return found;
  }

  const Analysis& a_;
  const RecomputeProblem& problem_;
  const StorageBytes& storages_;
  const SearchLimits& limits_;
  StepSimulation simulation_;
  Evaluation evaluation_;
  Unavoidable unavoidable_;
  WorkBudget work_;
  std::vector<KeptStorages> bases_;
  std::vector<std::optional<Int128>> lowest_of_bases_;  // the peaks of as many as were lowered to the end
  std::optional<Plan> best_, lowest_plan_;
  Int128 bound_ = 0;
  std::size_t tried_ = 0;
};

}  // namespace

std::optional<AgainAnswer> search_again_near(const Analysis& analysis, const RecomputeProblem& problem,
                                             const StorageBytes& storages, const MemoryLimit& limit, const SearchLimits& limits,
                                             const KeptStorages& kept) {
  SearchLimits brief = limits;
  if (brief.most_steps == 0) brief.most_steps = kMaxNearSteps;
  return AgainSearch(analysis, problem, storages, brief).run_near(limit, kept);
}

std::optional<AgainAnswer> search_again_within_peak(const Analysis& analysis, const RecomputeProblem& problem,
                                                    const StorageBytes& storages, const MemoryLimit& limit,
                                                    const SearchLimits& limits, const std::vector<KeptStorages>& candidates) {
  return AgainSearch(analysis, problem, storages, limits).run(limit, candidates);
}

}  // namespace fxcut
