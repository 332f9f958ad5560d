#include "peak/search_within_peak.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "frontier/hull.h"
#include "frontier/lagrangian_bound.h"
#include "frontier/relaxation.h"
#include "host/change_states.h"
#include "peak/given_choices.h"
#include "peak/improve_choice.h"
#include "peak/least_peak.h"
#include "peak/lower_by_chance.h"
#include "peak/priced_positions.h"
#include "peak/prove_choice.h"
#include "peak/rest_of_backward.h"
#include "peak/spread_choices.h"
#include "peak/unavoidable.h"
#include "solve/frontier_facts.h"

namespace fxcut {
namespace {

constexpr std::int64_t kMaxPartsForLeast = 50;
constexpr int kSpreadLimits = 24;  // between the floor and the lowest of the other initial choices
constexpr int kCloserLimits = 8;   // between those beside the best of these
constexpr double kEarliest[] = {0.3, 0.6, 0.85};
constexpr int kBisections = 8;
constexpr std::int64_t kFineEnough = 256;  // the bisection ends when the lowest peak is known to one part in this many
constexpr int kPriceRounds = 150;
constexpr int kRoundsWithRecomputed = 3;
constexpr std::size_t kTightPositions = 3;
constexpr std::int64_t kNearLimit = 50;  // a position is tight if less than a 50th of the limit is free
constexpr std::size_t kTriesToLower = 3000, kTriesToCheapen = 4000;
constexpr std::size_t kMaxStartsToLower = 3;         // initial choices with the lowest peaks above the limit
constexpr std::size_t kFew = 400, kMaxInPairs = 64;  // storages up to which more is tried, and up to which all pairs are changed
constexpr std::int64_t kMaxProving = 50'000'000;     // of work, as frontier/work_budget.h counts it: a fifth of a second
// Work for a lower peak, and tries per pair of storages.
constexpr std::int64_t kMaxByChance[] = {10'000'000, 40'000'000}, kTriesByChanceAPair = 60;
constexpr std::int64_t kMaxToProveLeast = 60'000'000;  // of work, to prove that there is no lower peak
constexpr std::int64_t kPartOfSteps = 8;               // each of these may take an eighth of the search's steps
constexpr std::size_t kMaxRandomTries = 60'000, kItemsInRandomTries = 20'000'000;
constexpr std::size_t kSimulating = 20;  // plain tries that a simulated one costs; while no choice fits, every try is simulated
// The work of a search, as frontier/work_budget.h counts it. A try is a simulated step, so that tries of each storage would be
// quadratic: with many storages there is a fixed amount of work per item. Ten times as much found no lower peak in graphs of
// 4,000 to 16,000 nodes.
constexpr std::int64_t kStepsOfFew = 1'200'000'000, kStepsAnItem = 50'000, kStepsOfMany = 100'000'000;
constexpr std::int64_t kMostAfterLowering = 140'000'000;  // for the search within a limit, however much it took to get there

SearchLimits limited(SearchLimits limits, const RecomputeProblem& problem) {
  if (limits.most_steps > 0) return limits;
  const auto items = static_cast<std::int64_t>(problem.items.size());
  limits.most_steps = problem.storages.size() <= kFew ? kStepsOfFew : std::clamp(items * kStepsAnItem, kStepsOfMany, kStepsOfFew);
  return limits;
}

class SearchWithinPeak {
 public:
  SearchWithinPeak(const Analysis& analysis, const RecomputeProblem& problem, const StorageBytes& storages,
                   const SearchLimits& limits, FixedState state, std::size_t few_storages)
      : a_(analysis), problem_(problem), simulation_(analysis, problem, storages),
        unavoidable_(find_unavoidable(problem, analysis, simulation_)), state_(std::move(state)), gap_(limits.gap),
        is_work_by_default_(limits.most_steps == 0), most_steps_(limited(limits, problem).most_steps),
        work_(limited(limits, problem), problem.items.size()), trials_(problem, simulation_, work_),
        is_small_(count_open(state_.fixings) <= few_storages) {}

  std::optional<PeakAnswer> run(const MemoryLimit& limit, const std::vector<KeptStorages>& candidates) {
    floor_ = least_backward_peak(unavoidable_, state_.fixings);
    is_small_ ? try_all() : seed_with(candidates);
    if (!trials_.lowest()) return std::nullopt;
    if (!is_small_) {
      if (!limit.is_least && costs_least_within(limit.bytes)) return answer(limit.bytes);
      seed_between();
    }
    if (is_small_) floor_ = trials_.lowest()->peak_bytes;
    if (!limit.is_least && limit.bytes < floor_) return answer(limit.bytes);
    const bool is_met = lower_until(limit);
    const bool is_starved = work_.ended_by() == EndedBy::Steps;
    if (limit.is_least) {
      if (is_starved) search_with_more_work(trials_.lowest()->peak_bytes);
      return answer(trials_.limit_bytes());
    }
    if (limit.bytes < floor_) return answer(limit.bytes);
    const bool is_searched = is_met && searched_within_ == limit.bytes && trials_.limit_bytes() == limit.bytes;
    if (!is_searched || is_starved) search_with_more_work(limit.bytes);
    if (!is_good_enough()) search_within_lowest(limit.bytes);
    return answer(limit.bytes);
  }

 private:
  // Searches for lower and lower peaks, the same ones whatever the limit: so the lowest found is also met as a limit, at the
  // same cost. Returns whether one within the limit is found; the last search is within the lowest.
  bool lower_until(const MemoryLimit& limit) {
    const auto is_met = [&] { return !limit.is_least && trials_.lowest()->peak_bytes <= limit.bytes; };
    std::optional<Int128> searched;
    std::size_t chances = 0;
    while (!is_met() && !work_.is_exhausted()) {
      const Int128 lowest = trials_.lowest()->peak_bytes;
      if (searched != lowest) {
        searched = lowest;
        search_within(lowest);
        continue;
      }
      const KeptStorages lower = raise_floor();
      if (lowest <= floor_) return false;
      const std::optional<PeakChoice> best = trials_.best();
      const Int128 bound = bound_;
      search_within(lowest - 1);
      if (trials_.lowest()->peak_bytes == lowest && !lower.empty()) trials_.offer(lower);
      while (trials_.lowest()->peak_bytes == lowest && chances < std::size(kMaxByChance)) lower_by_chance(chances++);
      if (trials_.lowest()->peak_bytes < lowest) continue;
      trials_.set_limit(lowest);
      if (best) trials_.offer(best->kept);
      bound_ = bound;
      return false;
    }
    if (limit.is_least && searched != trials_.lowest()->peak_bytes) search_within(trials_.lowest()->peak_bytes);
    return is_met();
  }

  PeakTrials::Tried seed_with(const KeptStorages& kept) {
    const auto tried = trials_.offer(kept);
    if (tried.is_feasible) starts_.push_back({kept, tried.run_cost, tried.peak_bytes()});
    return tried;
  }

  void try_all() {
    for_each_choice(state_.fixings, [&](const KeptStorages& kept) {
      seed_with(kept);
      return true;
    });
  }

  void seed_with(const std::vector<KeptStorages>& candidates) {
    for (const KeptStorages& kept : candidates) seed_with(kept);
    seed_with(KeptStorages(problem_.storages.size(), true));
    seed_with(least_bytes_choice());
  }

  // Whether one of the initial choices is within the limit, and costs the least of all: that is the best.
  bool costs_least_within(Int128 limit_bytes) {
    bound_ = least_of_all();
    offer_within(limit_bytes);
    return is_best();
  }

  // A lower bound of the cost of all choices, whatever their peaks. If keeping has a cost, the choice of that bound becomes an
  // initial one.
  Int128 least_of_all() {
    const auto costs = [](const KeepableStorage& storage) { return storage.keep_cost > 0; };
    if (std::ranges::none_of(problem_.storages, costs)) return 0;
    Relaxation relaxation(problem_, state_);
    const Price price = least_recomputing(problem_);
    const PricedChoice least = best_at(problem_, relaxation, price, kMaxPartsForLeast, work_);
    seed_with(least.choice.kept);
    return least.bound / price.bytes;  // less than a unit of cost is of bytes
  }

  // Choices between these two: spread over the forward, and lowered.
  void seed_between() {
    const SpreadChoices spread(problem_, unavoidable_, simulation_, a_, state_.fixings);
    const Int128 top = std::max(trials_.lowest()->peak_bytes, floor_);
    for (const double earliest : kEarliest) spread_within(spread, earliest, {floor_, top});
    lower();
    bisect();
    lower();
  }

  struct LimitRange {
    Int128 first, last;
  };

  // Tries limits all over the range, and then again and again those beside the one whose choice has the lowest peak.
  void spread_within(const SpreadChoices& spread, double earliest, LimitRange range) {
    for (int limits = kSpreadLimits; range.last > range.first; limits = kCloserLimits) {
      const Int128 width = range.last - range.first;
      std::optional<std::pair<Int128, Int128>> lowest;  // a peak, and the limit
      for (int i = 0; i <= limits; ++i) {
        const Int128 limit = range.first + width * i / limits;
        const auto tried = seed_with(spread.choice(limit, earliest));
        if (tried.is_feasible && (!lowest || tried.peak_bytes() < lowest->first)) lowest = {tried.peak_bytes(), limit};
      }
      if (!lowest || width / limits <= lowest->first / kFineEnough) return;
      range = {std::max(floor_, lowest->second - width / limits), lowest->second + width / limits};
    }
  }

  void lower() {
    const FewTries few(trials_, kTriesToLower);
    make_lower(trials_, trials_.lowest()->kept);
  }

  // Only with few storages, since more choices can then be tried in less time.
  void lower_by_chance(std::size_t chance) {
    if (is_small_ || problem_.storages.size() > kFew) return;
    const auto open = static_cast<std::int64_t>(count_open(state_.fixings));
    const auto work_of_try = static_cast<std::int64_t>(problem_.items.size() + simulation_.steps_a_run());
    const std::int64_t work = std::min(kMaxByChance[chance], kTriesByChanceAPair * open * open * work_of_try);
    fxcut::lower_by_chance(trials_, state_.fixings, {floor_, std::min(work, most_steps_ / kPartOfSteps), chance + 1});
  }

  // Returns a choice that may have a lower peak, or an empty one.
  KeptStorages raise_floor() {
    if (is_small_) return {};
    const std::int64_t work = problem_.storages.size() <= kFew ? std::min(kMaxToProveLeast, most_steps_ / kPartOfSteps) : 0;
    const Int128 reached = trials_.lowest()->peak_bytes;
    LeastPeak least = find_least_peak({problem_, a_, unavoidable_, state_.fixings}, simulation_, reached, work);
    work_.charge(static_cast<std::size_t>(least.steps));
    floor_ = std::max(floor_, least.bytes);
    return std::move(least.kept);
  }

  // Lowers the peak of cheaper choices by keeping less.
  void bisect() {
    const std::vector<double> prices = with_share_of_bytes(std::vector<double>(problem_.storages.size(), 0), unavoidable_);
    const auto lowest = [&] { return trials_.lowest()->peak_bytes; };
    Int128 too_low = floor_ - 1;
    for (int step = 0; step < kBisections && lowest() - too_low > lowest() / kFineEnough; ++step) {
      const Int128 middle = too_low + (lowest() - too_low) / 2;
      trials_.set_limit(middle);
      for (const KeptStorages& kept : nearest_above_limit(trials_.lowest()->kept)) {
        if (!trials_.best()) bring_within_limit(trials_, kept, prices);
      }
      if (!trials_.best()) too_low = middle;
    }
  }

  KeptStorages least_bytes_choice() {
    Relaxation relaxation(problem_, state_);
    Incumbent none(problem_, kNoLimit, work_);
    return optimum_at(problem_, relaxation, none, least_bytes(problem_)).point.used;
  }

  // Offers the initial choices that are within the limit.
  void offer_within(Int128 limit_bytes) {
    trials_.set_limit(limit_bytes);
    for (const PeakChoice& choice : starts_) {
      if (choice.peak_bytes <= limit_bytes) trials_.offer(choice.kept);
    }
  }

  void search_within(Int128 limit_bytes) {
    searched_within_ = limit_bytes;
    offer_within(limit_bytes);
    if (is_small_) {
      bound_ = trials_.best() ? trials_.best()->run_cost : 0;
      return;
    }
    const std::vector<Int128> nothing(unavoidable_.positions(), 0);
    const KeptStorages none;
    const PricedProblem whole{problem_, unavoidable_, state_, none};
    PricedPositions priced = price_positions(trials_, whole, nothing, kPriceRounds);
    bound_ = priced.bound;
    std::vector<double> prices = with_share_of_bytes(std::move(priced.prices), unavoidable_);
    for (const KeptStorages& kept : nearest_above_limit(priced.kept)) improve(kept, prices);
    improve(trials_.lowest()->kept, prices);
    for (const BackwardPosition position : tight_positions()) price_rest(position);
    for (int round = 0; round < kRoundsWithRecomputed && trials_.best() && !is_good_enough() && !work_.is_exhausted(); ++round) {
      const auto tried = trials_.offer(trials_.best()->kept);
      const auto taken = recomputed_by_position(unavoidable_, simulation_, tried.memory, trials_.evaluation().used());
      priced = price_positions(trials_, whole, taken, kPriceRounds);
      prices = with_share_of_bytes(std::move(priced.prices), unavoidable_);
      improve(priced.kept, prices);
      improve(trials_.best()->kept, prices);
    }
    if (!is_good_enough() && trials_.best()) {
      work_.watch_for_stagnation();
      const FewTries few(trials_, kTriesToCheapen);
      make_cheaper(trials_, prices);
    }
    prove();
    change_few();
  }

  // However much it took to get there; but no more than the user allows.
  void search_with_more_work(Int128 limit_bytes) {
    const std::int64_t left = most_steps_ - work_.steps(), wanted = std::min(most_steps_, kMostAfterLowering);
    if (is_work_by_default_ && left < wanted) work_.allow_more(wanted - left);
    search_within(limit_bytes);
  }

  // With few storages also the choice that is found within the lowest peak so far, which may be the limit: the second search
  // begins with what the first has found.
  void search_within_lowest(Int128 limit_bytes) {
    const std::optional<PeakChoice> before = trials_.best();
    if (is_small_ || problem_.storages.size() > kMaxInPairs || !before) return;
    const Int128 bound = bound_;
    search_within(trials_.lowest()->peak_bytes);
    const std::optional<PeakChoice> lowest = trials_.best();
    trials_.set_limit(limit_bytes);
    trials_.offer(before->kept);
    if (lowest) trials_.offer(lowest->kept);
    bound_ = bound;
  }

  void prove() {
    if (problem_.storages.size() > kFew || is_good_enough() || !trials_.best()) return;
    if (prove_cheapest(trials_, unavoidable_, state_.fixings, kMaxProving)) bound_ = trials_.best()->run_cost;
  }

  // With few storages, single changes and pairs: to a lower peak as long as none is within the limit, then to a cheaper choice.
  void change_few() {
    if (problem_.storages.size() > kFew) return;
    const auto best = [&]() -> const PeakChoice& { return trials_.best() ? *trials_.best() : *trials_.lowest(); };
    const auto rank = [&] { return std::tuple(!trials_.best(), trials_.best() ? best().run_cost : best().peak_bytes); };
    const StateSearch search{.best = [&] { return keeping(best().kept); },
                             .offer =
                                 [&](const StorageStates& states) {
                                   const auto before = rank();
                                   const KeptStorages kept = available_in(states);
                                   if (trials_.best() && trials_.evaluate(kept).run_cost >= best().run_cost) return false;
                                   trials_.offer(kept);
                                   return rank() < before;
                                 },
                             .is_done = [&] { return is_good_enough() || work_.is_exhausted(); },
                             .may_copy = false,
                             .most_in_pairs = kMaxInPairs};
    change_while_better(problem_, search);
    const std::size_t tries = std::min(kMaxRandomTries, kItemsInRandomTries / problem_.items.size());
    change_at_random(problem_, search, trials_.best() ? tries : tries / kSimulating);
    change_while_better(problem_, search);
  }

  // Positions before most of the best choice's recomputation at which its memory is near the limit: those with the least room.
  std::vector<BackwardPosition> tight_positions() {
    std::vector<BackwardPosition> tight;
    if (is_good_enough() || !trials_.best()) return tight;
    const auto tried = trials_.offer(trials_.best()->kept);
    const std::vector<Int128> most = most_by_position(unavoidable_, simulation_, tried.memory);
    const std::vector<Int128> cost = run_cost_by_position(trials_.evaluation(), problem_, simulation_, tried.memory);
    Int128 before = 0;
    for (BackwardPosition p = 0; p < most.size() && before * 2 <= tried.run_cost; ++p) {
      before += cost[p];
      if (p > 0 && most[p] * kNearLimit >= trials_.limit_bytes() * (kNearLimit - 1)) tight.push_back(p);
    }
    std::ranges::stable_sort(tight, std::ranges::greater(), [&](BackwardPosition p) { return unavoidable_.bytes[p]; });
    const auto same = std::ranges::unique(tight, {}, [&](BackwardPosition p) { return unavoidable_.bytes[p]; });
    tight.erase(same.begin(), same.end());
    if (tight.size() > kTightPositions) tight.resize(kTightPositions);
    return tight;
  }

  // A bound from the values that the backward needs after a position, and choices by the prices of their memory.
  void price_rest(BackwardPosition position) {
    if (is_good_enough() || work_.is_exhausted()) return;
    const RestOfBackward rest(problem_, a_, simulation_, position);
    const std::optional<FixedState> state = propagate(rest.problem, all_open(rest.problem), kNoLimit);
    if (!state) return;
    KeptStorages besides = trials_.best() ? trials_.best()->kept : trials_.lowest()->kept;
    for (std::size_t s = 0; s < besides.size(); ++s) besides[s] = besides[s] && !rest.unavoidable.is_needed[s];
    const std::vector<Int128> nothing(unavoidable_.positions(), 0);
    PricedPositions priced = price_positions(trials_, {rest.problem, rest.unavoidable, *state, besides}, nothing, kPriceRounds);
    bound_ = std::max(bound_, priced.bound);
    improve(priced.kept, with_share_of_bytes(std::move(priced.prices), unavoidable_));
  }

  void improve(const KeptStorages& from, const std::vector<double>& prices) {
    const auto within = bring_within_limit(trials_, from, prices);
    if (!within) return;
    fill(trials_, *within, prices);
    const KeptStorages roomy = make_room(trials_, trials_.best()->kept);
    fill(trials_, roomy, prices);
  }

  // The initial choices above the limit that are nearest to it, without those that another beats in peak and cost.
  std::vector<KeptStorages> nearest_above_limit(const KeptStorages& priced) {
    std::vector<std::tuple<Int128, Int128, std::size_t>> above;
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      if (starts_[i].peak_bytes > trials_.limit_bytes()) above.push_back({starts_[i].peak_bytes, starts_[i].run_cost, i});
    }
    std::sort(above.begin(), above.end());
    std::vector<KeptStorages> found = {priced};
    std::optional<Int128> cheapest;
    for (const auto& [peak, cost, i] : above) {
      if (cheapest && cost >= *cheapest) continue;
      cheapest = cost;
      found.push_back(starts_[i].kept);
      if (found.size() > kMaxStartsToLower) break;
    }
    return found;
  }

  bool is_best() const { return trials_.best() && trials_.best()->run_cost <= bound_; }
  bool is_good_enough() const { return is_best() || (trials_.best() && gap(trials_.best()->run_cost, bound_) <= gap_); }

  PeakAnswer answer(Int128 limit_bytes) {
    PeakAnswer answer{trials_.best(), limit_bytes, *trials_.lowest(), floor_, bound_, is_best(), trials_.tried(), work_.steps()};
    if (answer.choice && answer.choice->peak_bytes > limit_bytes) answer.choice.reset();
    if (answer.is_proven) return answer;
    answer.ended_by = work_.is_exhausted() ? *work_.ended_by() : is_good_enough() ? EndedBy::Gap : EndedBy::Exhausted;
    return answer;
  }

  const Analysis& a_;
  const RecomputeProblem& problem_;
  StepSimulation simulation_;
  Unavoidable unavoidable_;
  FixedState state_;
  double gap_;
  bool is_work_by_default_;
  std::int64_t most_steps_;
  WorkBudget work_;
  PeakTrials trials_;
  bool is_small_;
  std::vector<PeakChoice> starts_;  // with all that is to be kept, used or not
  Int128 floor_ = 0, bound_ = 0;
  std::optional<Int128> searched_within_;  // the limit of the last search
};

}  // namespace

std::optional<PeakAnswer> search_within_peak(const Analysis& analysis, const RecomputeProblem& problem,
                                             const StorageBytes& storages, const MemoryLimit& limit, const SearchLimits& limits,
                                             const std::vector<KeptStorages>& candidates, std::size_t few_storages) {
  std::optional<FixedState> state = propagate(problem, all_open(problem), kNoLimit);
  if (!state) return std::nullopt;
  return SearchWithinPeak(analysis, problem, storages, limits, *std::move(state), few_storages).run(limit, candidates);
}

}  // namespace fxcut
