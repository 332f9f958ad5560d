#include "peak/save_within_compiled_peak.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "frontier/fixings.h"
#include "frontier/pytorchs_choices.h"
#include "frontier/recompute_problem.h"
#include "frontier/save_within_limit.h"
#include "frontier/with_forms.h"
#include "peak/compiled_bound.h"
#include "peak/given_choices.h"
#include "peak/improve_choice.h"
#include "peak/predicted_step.h"
#include "peak/saving_most.h"

namespace fxcut {
namespace {

// Work, as frontier/work_budget.h counts it and PredictedStep a prediction: some ten seconds of a core of 2023.
constexpr std::int64_t kMaxSteps = 600'000'000;
constexpr std::size_t kMaxOfAll = 10;                         // 1,024 choices
constexpr std::size_t kTriesDown = 600;                        // from a choice
constexpr std::size_t kTriesFromBest = 600;                    // per price vector
constexpr std::size_t kMaxFromEach = 60, kMinFromEach = 3;     // tries from a starting point, per price vector
constexpr std::int64_t kMaxRefining = 120'000'000;             // work after that, from choices for saved bytes: some two seconds
constexpr std::size_t kTriesToRefine = 60;                     // from each of these, per price vector

// Two kinds of prices: per byte, wherever it is in use; or the same for all storages.
std::vector<double> prices_by_bytes(const RecomputeProblem& problem) {
  std::vector<double> prices;
  for (const auto& storage : problem.storages) prices.push_back(std::max(1.0, static_cast<double>(storage.bytes)));
  return prices;
}

SearchLimits with_few_steps(SearchLimits limits) {
  if (limits.most_steps == 0) limits.most_steps = kMaxSteps;
  return limits;
}

class CompiledSearch {
 public:
  CompiledSearch(const Analysis& analysis, const RecomputeProblem& problem, const StorageBytes& storages,
                 const FinishingNeeds& needs, const SearchLimits& limits)
      : problem_(problem), simulation_(analysis, problem, storages), predicted_(analysis, problem, needs),
        most_steps_(limits.most_steps), work_(limits, problem.items.size()),
        prices_{prices_by_bytes(problem), std::vector<double>(problem.storages.size(), 1)} {}

  // Tries all choices if few storages are open. Returns whether it did.
  bool try_all(const MemoryLimit& limit) {
    const std::optional<FixedState> state = propagate(problem_, all_open(problem_), kNoLimit);
    if (!state || count_open(state->fixings) > kMaxOfAll) return false;
    PeakTrials trials = this->trials();
    trials.set_limit(limit.bytes);
    const bool are_all = for_each_choice(state->fixings, [&](const KeptStorages& kept) {
      trials.offer(kept);
      return !work_.is_exhausted();
    });
    if (!are_all) return false;
    if (limit.is_least && trials.lowest()) trials.set_limit(trials.lowest()->peak_bytes);
    take(trials);
    return true;
  }

  // Tries only these choices.
  void compare(Int128 bytes, const std::vector<KeptStorages>& choices) {
    PeakTrials trials = this->trials();
    trials.set_limit(bytes);
    for (const KeptStorages& kept : choices) {
      if (!work_.is_exhausted()) trials.offer(kept);
    }
    take(trials);
  }

  void within(Int128 bytes, const std::vector<KeptStorages>& starts) {
    for (const KeptStorages& kept : starts) {
      if (!work_.is_exhausted()) make_best(bytes, kept, tries_from_each(starts.size()));
    }
    if (!best_) lower(bytes, starts);
    if (best_ && !work_.is_exhausted()) make_best(bytes, KeptStorages(best_->kept), kTriesFromBest);
  }

  // Varying the cheapest choice of a peak may meet lower ones.
  void for_lowest(const std::vector<KeptStorages>& starts) {
    lower(0, starts);
    for (bool goes_on = lowest_.has_value(); goes_on;) {
      const PeakChoice before = *lowest_;
      make_best(before.peak_bytes, before.kept, kTriesFromBest);
      goes_on = lowest_->peak_bytes < before.peak_bytes && !work_.is_exhausted();
      if (goes_on) lower(0, {lowest_->kept});
    }
  }

  // With a new budget of work: starts from choices that are good for saved bytes, those of a bound among them.
  void refine(Int128 bytes, const std::vector<KeptStorages>& of_bound, const SearchLimits& limits) {
    steps_before_ += work_.steps();
    work_ = WorkBudget(limits, problem_.items.size());
    std::vector<KeptStorages> all = within_saved_bytes(bytes, limits.halt);
    all.insert(all.end(), of_bound.begin(), of_bound.end());
    for (const KeptStorages& kept : all) {
      if (!work_.is_exhausted()) make_best(bytes, kept, kTriesToRefine);
    }
    if (best_ && !work_.is_exhausted()) make_best(bytes, KeptStorages(best_->kept), kTriesFromBest);
  }

  // Takes the lowest of all, if that is below the peak of the best.
  void take_lowest() {
    if (!lowest_ || !best_ || lowest_->peak_bytes >= best_->peak_bytes) return;
    best_.reset();
    make_best(lowest_->peak_bytes, KeptStorages(lowest_->kept), kTriesToRefine);
  }

  const std::optional<PeakChoice>& best() const { return best_; }
  const std::optional<Int128>& least_run_cost() const { return least_run_cost_; }
  std::int64_t steps() const { return steps_before_ + work_.steps(); }
  std::size_t tried() const { return tried_; }
  WorkBudget& work() { return work_; }
  const StepSimulation& simulation() const { return simulation_; }

 private:
  PeakTrials trials() { return PeakTrials(problem_, simulation_, work_, &predicted_); }

  // Per price vector. All starting points together take half of the work, besides the work that brings them within the limit.
  std::size_t tries_from_each(std::size_t num_starts) const {
    const std::size_t tries = static_cast<std::size_t>(most_steps_) / predicted_.usual_steps();
    return std::clamp(tries / (2 * prices_.size() * num_starts), kMinFromEach, kMaxFromEach);
  }

  // Improves each starting point by itself: changes that help one lead others astray.
  void make_best(Int128 bytes, const KeptStorages& start, std::size_t tries) {
    PeakTrials trials = this->trials();
    trials.set_limit(bytes);
    bring_down(trials, start);
    for (const std::vector<double>& prices : prices_) {
      const FewTries few(trials, tries);
      make_cheaper(trials, prices);
    }
    take(trials);
  }

  std::vector<KeptStorages> within_saved_bytes(Int128 limit_bytes, const HaltRequested& halt) {
    PeakTrials trials = this->trials();
    trials.set_limit(limit_bytes);
    const Int128 enough = best_ ? best_->run_cost : kNoLimit;
    ChoicesSavingMost found = saving_most(problem_, limit_bytes, enough, halt,
                                          [&](const KeptStorages& kept) { return trials.offer(kept).peak_bytes(); });
    work_.charge(static_cast<std::size_t>(found.steps));
    take(trials);
    return std::move(found.choices);
  }

  void take(const PeakTrials& trials) {
    tried_ += trials.tried();
    const auto by_peak = [](const PeakChoice& choice) { return std::pair(choice.peak_bytes, choice.cost()); };
    if (trials.lowest() && (!lowest_ || by_peak(*trials.lowest()) < by_peak(*lowest_))) lowest_ = trials.lowest();
    const auto rank = [](const PeakChoice& choice) { return std::pair(choice.cost(), choice.peak_bytes); };
    if (trials.best() && (!best_ || rank(*trials.best()) < rank(*best_))) best_ = trials.best();
    const std::optional<Int128>& least = trials.least_run_cost();
    if (least) least_run_cost_ = std::min(least_run_cost_.value_or(*least), *least);
  }

  // Lowers until the lowest peak is within that many bytes, or nothing helps. Nothing if no choice is feasible.
  std::optional<PeakChoice> lower(Int128 bytes, const std::vector<KeptStorages>& starts) {
    PeakTrials trials = this->trials();
    trials.set_limit(bytes);
    for (const KeptStorages& kept : starts) lower_from(trials, kept, Descent::First);
    while (trials.lowest() && trials.lowest()->peak_bytes > bytes && !work_.is_exhausted()) {
      const Int128 before = trials.lowest()->peak_bytes;
      bring_down(trials, trials.lowest()->kept);
      lower_from(trials, trials.lowest()->kept, Descent::Steepest);
      if (trials.lowest()->peak_bytes >= before) break;
    }
    take(trials);
    return trials.lowest();
  }

  void bring_down(PeakTrials& trials, const KeptStorages& kept) const {
    const FewTries few(trials, kTriesDown);
    bring_within_limit(trials, kept, prices_.front());
  }

  static void lower_from(PeakTrials& trials, const KeptStorages& kept, Descent descent) {
    const FewTries few(trials, kTriesDown);
    make_lower(trials, kept, descent);
  }

  const RecomputeProblem& problem_;
  StepSimulation simulation_;
  PredictedStep predicted_;
  std::int64_t most_steps_, steps_before_ = 0;
  WorkBudget work_;
  std::vector<std::vector<double>> prices_;  // by storage
  std::optional<PeakChoice> best_, lowest_;
  std::optional<Int128> least_run_cost_;  // within the limits
  std::size_t tried_ = 0;
};

// `starts` and PyTorch's, where their steps are compared by time.
std::vector<KeptStorages> compared(const Analysis& analysis, const RecomputeProblem& problem, std::vector<KeptStorages> starts) {
  if (!problem.prices_kernels) return {};
  std::ranges::move(pytorchs_choices(analysis, problem), std::back_inserter(starts));
  return starts;
}

}  // namespace

SavedValues save_within_compiled_peak(const Analysis& analysis, const StorageBytes& storages, const FinishingNeeds& needs,
                                      const CompiledPeakRequest& asked, const SearchLimits& limits) {
  const RecomputeProblem problem =
      with_allowed_forms(analysis, costed_problem(analysis, storages, estimator_of_frontier(analysis.settings)));
  std::vector<KeptStorages> starts;
  for (const auto& saved : asked.starts) starts.push_back(kept_by(analysis, problem, saved));
  CompiledSearch search(analysis, problem, storages, needs, with_few_steps(limits));
  const bool has_all = !asked.only_compares && search.try_all(asked.limit);
  const bool has_limit = !asked.limit.is_least || asked.known_peak;
  const std::int64_t within_bytes = asked.known_peak.value_or(asked.limit.bytes);
  if (!has_all && has_limit) search.compare(within_bytes, compared(analysis, problem, starts));
  if (!has_all && !asked.only_compares) has_limit ? search.within(within_bytes, starts) : search.for_lowest(starts);
  const CompiledBounds bounds(analysis, problem, search.simulation());
  const Int128 limit_bytes = asked.limit.is_least && search.best() ? search.best()->peak_bytes : Int128{asked.limit.bytes};
  const CompiledBound at_limit = bounds.within(limit_bytes, search.work());
  const auto bound_of = [&](const PeakChoice& choice) {
    return has_all ? *search.least_run_cost() : std::min(choice.run_cost, at_limit.run_cost);
  };
  const bool refines = has_limit && search.best() && !has_all && !asked.only_compares && limits.most_steps == 0;
  if (refines && gap(search.best()->run_cost, at_limit.run_cost) > limits.gap) {
    search.refine(limit_bytes, at_limit.choices, {.most_steps = kMaxRefining, .halt = limits.halt});
  }
  if (asked.limit.is_least && !has_all) search.take_lowest();
  const std::optional<PeakChoice>& found = search.best();
  if (!found) {
    throw Failure(ExitStatus::NoPartition,
                  fmt::format("found no decision whose code has a peak of at most {} bytes", asked.limit.bytes),
                  "allow more bytes, or 'least'");
  }
  const std::int64_t bytes = Evaluation(problem).run(found->kept).bytes;
  const Int128 bound = bound_of(*found);
  const bool is_proven = found->run_cost == bound;
  std::optional<Int128> floor_bytes;
  if (has_all && asked.limit.is_least) floor_bytes = found->peak_bytes;
  else if (runs_as_simulated(analysis.joint)) floor_bytes = bounds.floor_bytes();
  return saved_by_frontier(analysis, problem, found->kept,
                           {.limit_bytes = bytes,
                            .saved_bytes = bytes,
                            .run_cost = found->run_cost,
                            .bound = bound,
                            .is_proven = is_proven,
                            .steps = search.steps(),
                            .ended_by = is_proven ? EndedBy::Proof : search.work().ended_by().value_or(EndedBy::Exhausted),
                            .peak = PeakLimitFacts{found->peak_bytes, search.tried(), bound, floor_bytes}});
}

}  // namespace fxcut
