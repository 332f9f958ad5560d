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
#include "peak/given_choices.h"
#include "peak/improve_choice.h"
#include "peak/predicted_step.h"

namespace fxcut {
namespace {

// Of work, as frontier/effort.h counts it and PredictedStep a prediction: some ten seconds of a core of 2023.
constexpr std::int64_t kMostSteps = 600'000'000;
constexpr std::size_t kMostOfAll = 10;                         // 1,024 choices
constexpr std::size_t kTriesDown = 600;                        // from a choice
constexpr std::size_t kTriesFromBest = 600;                    // at each prices
constexpr std::size_t kMostFromEach = 60, kLeastFromEach = 3;  // tries from a choice to begin with, at each prices

// A byte has the same price wherever it is in use; or all storages have the same.
std::vector<double> prices_by_bytes(const RecomputeProblem& problem) {
  std::vector<double> prices;
  for (const auto& storage : problem.storages) prices.push_back(std::max(1.0, static_cast<double>(storage.bytes)));
  return prices;
}

SearchLimits with_few_steps(SearchLimits limits) {
  if (limits.most_steps == 0) limits.most_steps = kMostSteps;
  return limits;
}

class CompiledSearch {
 public:
  CompiledSearch(const Analysis& analysis, const RecomputeProblem& problem, const StorageBytes& storages,
                 const FinishingNeeds& needs, const SearchLimits& limits)
      : problem_(problem),
        simulation_(analysis, problem, storages),
        predicted_(analysis, problem, needs),
        most_steps_(limits.most_steps),
        effort_(limits, problem.items.size()),
        prices_{prices_by_bytes(problem), std::vector<double>(problem.storages.size(), 1)} {}

  // All choices, if few storages are open. Returns whether that is so.
  bool try_all(const MemoryLimit& limit) {
    const std::optional<FixedState> state = propagate(problem_, all_open(problem_), kNoLimit);
    if (!state || count_open(state->fixings) > kMostOfAll) return false;
    PeakTrials trials = this->trials();
    trials.set_limit(limit.bytes);
    const bool are_all = for_each_choice(state->fixings, [&](const KeptStorages& kept) {
      trials.offer(kept);
      return !effort_.is_spent();
    });
    if (!are_all) return false;
    if (limit.is_least && trials.lowest()) trials.set_limit(trials.lowest()->peak_bytes);
    take(trials);
    return true;
  }

  // Only these.
  void compare(Wide bytes, const std::vector<KeptStorages>& choices) {
    PeakTrials trials = this->trials();
    trials.set_limit(bytes);
    for (const KeptStorages& kept : choices) {
      if (!effort_.is_spent()) trials.offer(kept);
    }
    take(trials);
  }

  void within(Wide bytes, const std::vector<KeptStorages>& begin) {
    for (const KeptStorages& kept : begin) {
      if (!effort_.is_spent()) make_best(bytes, kept, tries_from_each(begin.size()));
    }
    if (!best_) lower(bytes, begin);
    if (best_ && !effort_.is_spent()) make_best(bytes, KeptStorages(best_->kept), kTriesFromBest);
  }

  void for_lowest(const std::vector<KeptStorages>& begin) {
    const std::optional<PeakChoice> lowest = lower(0, begin);
    if (lowest) make_best(lowest->peak_bytes, lowest->kept, kTriesFromBest);
  }

  const std::optional<PeakChoice>& best() const { return best_; }
  const std::optional<Wide>& least_run_cost() const { return least_run_cost_; }
  std::size_t tried() const { return tried_; }
  Effort& effort() { return effort_; }

 private:
  PeakTrials trials() { return PeakTrials(problem_, simulation_, effort_, &predicted_); }

  // At each prices. All beginnings together take half of the work, besides what brings them within the limit.
  std::size_t tries_from_each(std::size_t beginnings) const {
    const std::size_t tries = static_cast<std::size_t>(most_steps_) / predicted_.usual_steps();
    return std::clamp(tries / (2 * prices_.size() * beginnings), kLeastFromEach, kMostFromEach);
  }

  // Each beginning for itself: what helps one leads others astray.
  void make_best(Wide bytes, const KeptStorages& begin, std::size_t tries) {
    PeakTrials trials = this->trials();
    trials.set_limit(bytes);
    bring_down(trials, begin);
    for (const std::vector<double>& prices : prices_) {
      const FewTries few(trials, tries);
      make_cheaper(trials, prices);
    }
    take(trials);
  }

  void take(const PeakTrials& trials) {
    tried_ += trials.tried();
    const auto rank = [](const PeakChoice& choice) { return std::pair(choice.cost(), choice.peak_bytes); };
    if (trials.best() && (!best_ || rank(*trials.best()) < rank(*best_))) best_ = trials.best();
    const std::optional<Wide>& least = trials.least_run_cost();
    if (least) least_run_cost_ = std::min(least_run_cost_.value_or(*least), *least);
  }

  // Until the lowest peak is within so many bytes, or nothing helps. Nothing if no choice is feasible.
  std::optional<PeakChoice> lower(Wide bytes, const std::vector<KeptStorages>& begin) {
    PeakTrials trials = this->trials();
    trials.set_limit(bytes);
    for (const KeptStorages& kept : begin) lower_from(trials, kept);
    while (trials.lowest() && trials.lowest()->peak_bytes > bytes && !effort_.is_spent()) {
      const Wide before = trials.lowest()->peak_bytes;
      bring_down(trials, trials.lowest()->kept);
      lower_from(trials, trials.lowest()->kept);
      if (trials.lowest()->peak_bytes >= before) break;
    }
    take(trials);
    return trials.lowest();
  }

  void bring_down(PeakTrials& trials, const KeptStorages& kept) const {
    const FewTries few(trials, kTriesDown);
    bring_within_limit(trials, kept, prices_.front());
  }

  static void lower_from(PeakTrials& trials, const KeptStorages& kept) {
    const FewTries few(trials, kTriesDown);
    make_lower(trials, kept);
  }

  const RecomputeProblem& problem_;
  StepSimulation simulation_;
  PredictedStep predicted_;
  std::int64_t most_steps_;
  Effort effort_;
  std::vector<std::vector<double>> prices_;  // by storage
  std::optional<PeakChoice> best_;
  std::optional<Wide> least_run_cost_;  // within the limits
  std::size_t tried_ = 0;
};

// `begin` and PyTorch's, where their steps are compared by time.
std::vector<KeptStorages> compared(const Analysis& analysis, const RecomputeProblem& problem, std::vector<KeptStorages> begin) {
  if (!problem.prices_kernels) return {};
  std::ranges::move(pytorchs_choices(analysis, problem), std::back_inserter(begin));
  return begin;
}

}  // namespace

SavedValues save_within_compiled_peak(const Analysis& analysis, const StorageBytes& storages, const FinishingNeeds& needs,
                                      const CompiledPeakSearch& asked, const SearchLimits& limits) {
  const RecomputeProblem problem = costed_problem(analysis, storages, estimator_of_frontier(analysis.settings));
  std::vector<KeptStorages> begin;
  for (const auto& saved : asked.begin) begin.push_back(kept_by(analysis, problem, saved));
  CompiledSearch search(analysis, problem, storages, needs, with_few_steps(limits));
  const bool has_all = !asked.only_compares && search.try_all(asked.limit);
  if (!has_all && !asked.limit.is_least) search.compare(asked.limit.bytes, compared(analysis, problem, begin));
  if (!has_all && !asked.only_compares) {
    asked.limit.is_least ? search.for_lowest(begin) : search.within(asked.limit.bytes, begin);
  }
  const std::optional<PeakChoice>& found = search.best();
  if (!found) {
    throw Failure(ExitStatus::NoPartition,
                  fmt::format("found no decision whose code has a peak of at most {} bytes", asked.limit.bytes),
                  "allow more bytes, or 'least'");
  }
  const std::int64_t bytes = Evaluation(problem).run(found->kept).bytes;
  const Wide bound = has_all ? *search.least_run_cost() : Wide{0};
  const bool is_proven = found->run_cost == bound;
  return saved_by_frontier(analysis, problem, found->kept,
                           {.limit_bytes = bytes,
                            .saved_bytes = bytes,
                            .run_cost = found->run_cost,
                            .bound = bound,
                            .is_proven = is_proven,
                            .steps = search.effort().steps(),
                            .ended_by = is_proven ? EndedBy::Proof : search.effort().ended_by().value_or(EndedBy::Exhausted),
                            .peak = PeakLimitFacts{found->peak_bytes, search.tried(),
                                                   has_all || is_proven ? std::optional(bound) : std::nullopt}});
}

}  // namespace fxcut
