#include "schedule/liveness.h"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

namespace fxcut {
namespace {

using Interval = std::pair<std::size_t, std::size_t>;
template <typename T>
using LeastFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;

// By stage and microbatch.
std::map<std::pair<int, int>, Interval> intervals_of(const std::vector<Action>& actions) {
  std::map<std::pair<int, int>, Interval> intervals;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    for_each_part(actions[i], [&](const Action& action) {
      if (action.kind == ActionKind::Forward) intervals[{action.stage, *action.microbatch}].first = i;
      if (action.releases()) intervals[{action.stage, *action.microbatch}].second = i;
    });
  }
  return intervals;
}

// The slot of each interval, and the number of slots.
std::pair<std::vector<int>, int> assign_slots(const std::vector<Interval>& intervals) {
  std::vector<std::size_t> order(intervals.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(intervals[a], a) < std::tie(intervals[b], b);
  });
  LeastFirst<std::pair<std::size_t, int>> active;  // by end
  LeastFirst<int> free;
  std::vector<int> slots(intervals.size());
  int count = 0;
  for (const std::size_t i : order) {
    for (; !active.empty() && active.top().first < intervals[i].first; active.pop()) free.push(active.top().second);
    if (free.empty()) free.push(count++);
    slots[i] = free.top();
    free.pop();
    active.emplace(intervals[i].second, slots[i]);
  }
  return {slots, count};
}

}  // namespace

ActivationLiveness find_liveness(const Schedule& schedule, int rank, LivenessOf granularity) {
  const auto by_work = intervals_of(schedule[static_cast<std::size_t>(rank)]);
  std::map<std::pair<int, int>, std::size_t> index;  // of those with an interval of their own
  std::vector<Interval> intervals;
  const auto key_of = [&](int stage, int microbatch) {
    return std::pair(granularity == LivenessOf::Microbatch ? 0 : stage, microbatch);
  };
  for (const auto& [work, interval] : by_work) {
    const auto [found, is_new] = index.try_emplace(key_of(work.first, work.second), intervals.size());
    if (is_new) intervals.push_back(interval);
    Interval& hull = intervals[found->second];
    hull = {std::min(hull.first, interval.first), std::max(hull.second, interval.second)};
  }
  const auto [slots, count] = assign_slots(intervals);
  ActivationLiveness liveness{{}, count};
  for (const auto& [work, interval] : by_work) {
    const std::size_t i = index.at(key_of(work.first, work.second));
    liveness.lifetimes.push_back({work.first, work.second, intervals[i].first, intervals[i].second, slots[i]});
  }
  return liveness;
}

}  // namespace fxcut
