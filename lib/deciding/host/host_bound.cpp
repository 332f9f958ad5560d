#include "host/host_bound.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "frontier/budget_search.h"

namespace fxcut {
namespace {

// Number of searches: kItemsSearched / items, between the two.
constexpr std::int64_t kItemsSearched = 60'000, kMinSearches = 24, kMaxSearches = 240;
// Tries of local search in each. That finds better choices, but these searches are for bounds; more would be quadratic in total.
constexpr std::int64_t kTriesInEach = 1'000;
// With more storages than this, the steps of each search (frontier/work_budget.h) grow with the items, for the same reason.
constexpr std::size_t kFewStorages = 1'500;
constexpr std::int64_t kMinSteps = 15'000'000, kStepsPerItem = 2'500;
constexpr Int128 kImpossible = Int128{1} << 120;

// At most `most` of the times, evenly spread.
std::vector<double> spread(std::vector<double> times, std::size_t most) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  if (times.size() <= most) return times;
  std::vector<double> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(times[i * times.size() / most]);
  return some;
}

}  // namespace

RecomputeProblem relaxed_for_copies(RecomputeProblem problem, const MovableStorages& movable) {
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    if (!movable.is_surely_in_forward(i)) problem.items[i].run_cost = 0;
  }
  for (StorageIndex s = 1; s < problem.storages.size(); ++s) {
    std::int64_t& bytes = problem.storages[s].bytes;
    if (movable.may_move(s)) bytes = std::min(bytes, movable.fewest_bytes(s));
  }
  return problem;
}

// The problem in which only some storages count towards the limit: those that cannot be copied, and those last used so late in
// the forward (or first used so early in the backward) that copies hide at most `hidden` bytes of them. Every plan is feasible in
// it.
struct HostBound::Part {
  RecomputeProblem problem;
  double hidden = 0;
};

// A range of a part's available bytes, and the bound on recomputation within `to` bytes.
struct HostBound::Range {
  std::int64_t from = 0, to = 0;
  Int128 recomputing = 0;
};

bool HostBound::is_met(Int128 bound) const {
  const std::optional<Int128> best = best_time_();
  return best && bound >= *best;
}

SearchLimits HostBound::of_bounds(SearchLimits limits, const RecomputeProblem& problem) {
  limits.most_tries_each = kTriesInEach;
  if (limits.most_steps > 0 || problem.storages.size() <= kFewStorages) return limits;
  limits.most_steps = std::max(kMinSteps, static_cast<std::int64_t>(problem.items.size()) * kStepsPerItem);
  return limits;
}

HostBound::Range HostBound::range(const Part& part, std::int64_t from, std::int64_t to) {
  const BudgetAnswer answer = search_within(part.problem, to, limits_);
  if (answer.choice) offer_(with_others(part, answer.choice->kept));
  steps_ += answer.steps;
  return {from, to, answer.choice || !answer.is_proven ? answer.bound : kImpossible};
}

// The part's kept storages, and all storages that it does not count.
KeptStorages HostBound::with_others(const Part& part, KeptStorages kept) const {
  for (StorageIndex s = 1; s < kept.size(); ++s) {
    if (part.problem.storages[s].bytes == 0 && problem_.storages[s].bytes > 0) kept[s] = true;
  }
  return kept;
}

// Picoseconds that any plan waits for copies if it makes `bytes` of the part available.
Int128 HostBound::least_wait(const Part& part, std::int64_t bytes) const {
  const double ways = channel_.overlaps ? 1 : 2;
  const double beyond = static_cast<double>(bytes) - static_cast<double>(limit_bytes_) - part.hidden;
  return static_cast<Int128>(std::max(0.0, std::floor(beyond * channel_.picoseconds_per_byte * ways)));
}

Int128 HostBound::bound_of(const Part& part, const Range& one) const { return one.recomputing + least_wait(part, one.from); }

// Repeatedly halves the range with the lowest bound, so that its halves' bounds are tighter.
Int128 HostBound::bound_of(const Part& part, std::int64_t searches) {
  std::int64_t all = limit_bytes_;
  for (const KeepableStorage& storage : part.problem.storages) all += storage.bytes;
  const std::int64_t first =
      limit_bytes_ + static_cast<std::int64_t>(std::clamp(part.hidden, 0.0, static_cast<double>(all - limit_bytes_)));
  std::vector<Range> ranges = {range(part, 0, first)};
  if (first < all) ranges.push_back(range(part, first, all));
  const auto bound = [&](const Range& one) { return bound_of(part, one); };
  for (std::int64_t i = 0; i < searches && steps_ < work_.most_steps; ++i) {
    const auto lowest = std::ranges::min_element(ranges, {}, bound);
    const std::int64_t middle = lowest->from + (lowest->to - lowest->from) / 2;
    if (is_met(bound(*lowest)) || lowest->from < first || middle <= lowest->from) break;
    const Range upper = {middle, lowest->to, lowest->recomputing};
    *lowest = range(part, lowest->from, middle);
    ranges.push_back(upper);
  }
  return bound(*std::ranges::min_element(ranges, {}, bound));
}

HostBound::Part HostBound::part_of(double hidden, const std::function<bool(StorageIndex)>& counts) const {
  Part part{relaxed_, hidden};
  for (StorageIndex s = 1; s < problem_.storages.size(); ++s) {
    if (movable_.may_move(s) && !counts(s)) part.problem.storages[s].bytes = 0;
  }
  return part;
}

// Parts for several times in each of the two directions; the first part counts all bytes.
std::vector<HostBound::Part> HostBound::parts(std::size_t most) const {
  const auto any = [](StorageIndex) { return true; };
  if (!channel_.overlaps) return {part_of(0, any)};
  const double per_byte = channel_.picoseconds_per_byte;
  const std::optional<Int128> best = best_time_();
  std::vector<double> last, first;
  for (StorageIndex s = 1; s < problem_.storages.size(); ++s) {
    if (!movable_.may_move(s)) continue;
    last.push_back(movable_.last_in_forward(s));
    if (movable_.latest_first_use(s) < kNoTime) first.push_back(movable_.latest_first_use(s));
  }
  std::vector<Part> all = {part_of(movable_.most_forward_time() / per_byte, any)};
  for (const double time : spread(std::move(last), most / 2)) {
    all.push_back(part_of((movable_.most_forward_time() - time) / per_byte,
                          [&](StorageIndex s) { return movable_.last_in_forward(s) >= time; }));
  }
  if (!best || !work_.both_ways) return all;
  // The most by which first uses may be delayed.
  const double recomputing = static_cast<double>(*best) + movable_.most_uncounted_time();
  for (const double time : spread(std::move(first), most / 2)) {
    all.push_back(part_of((time + recomputing) / per_byte, [&](StorageIndex s) { return movable_.latest_first_use(s) <= time; }));
  }
  return all;
}

Int128 HostBound::find(const BestTime& best_time, const Offer& offer) {
  best_time_ = best_time;
  offer_ = offer;
  const auto by_size = std::clamp<std::int64_t>(kItemsSearched / static_cast<std::int64_t>(problem_.items.size() + 1),
                                                kMinSearches, kMaxSearches);
  const std::int64_t searches = work_.searches > 0 ? work_.searches : by_size;
  constexpr std::int64_t kInAPart = 6;  // except for the first, which takes half of all
  std::int64_t in_next = searches / 2;
  Int128 bound = 0;
  for (const Part& part : parts(static_cast<std::size_t>(searches / 2 / kInAPart))) {
    bound = std::max(bound, bound_of(part, in_next));
    in_next = kInAPart;
    if (is_met(bound) || steps_ >= work_.most_steps) break;
  }
  return bound;
}

}  // namespace fxcut
