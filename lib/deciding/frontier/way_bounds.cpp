#include "frontier/way_bounds.h"

#include <algorithm>
#include <limits>

#include "frontier/lagrangian_bound.h"

namespace fxcut {
namespace {

constexpr Int128 kNoWay = std::numeric_limits<Int128>::max();
constexpr int kMaxTried = 64;  // prices, for the best; a hull has few corners between two points

}  // namespace

WayBounds::WayBounds(const RecomputeProblem& problem, const DecisionStates& states, std::int64_t limit_bytes, WorkBudget& work)
    : problem_(problem), states_(states), limit_bytes_(std::min<Int128>(limit_bytes, least_recomputing(problem).bytes)) {
  Ways least = ways_at(least_bytes(problem), work), most = ways_at(least_recomputing(problem), work);
  const Price best = price_at_limit(least, most, work);
  for (const auto& [times, by] : {std::pair<Int128, Int128>{1, 1}, {3, 4}, {5, 4}, {1, 2}, {3, 2}, {1, 4}, {2, 1}, {4, 1}}) {
    ways_.push_back(ways_at(relative_price(problem, best, times, by), work));
  }
  ways_.push_back(std::move(least));
  ways_.push_back(std::move(most));
}

bool WayBounds::may_end(StateIndex state, Int128 bytes, Int128 run_cost, Int128 at_most) const {
  return std::ranges::all_of(ways_, [&](const Ways& ways) {
    return ways.costs[state] != kNoWay && ways.costs[state] <= ways.price.of(at_most - run_cost, limit_bytes_ - bytes);
  });
}

Int128 WayBounds::cost_of(const Transition& transition, const Price& price) const {
  return price.of(transition.run_cost, transition.keeps == kNoStorage ? 0 : problem_.storages[transition.keeps].bytes);
}

WayBounds::Ways WayBounds::ways_at(const Price& price, WorkBudget& work) const {
  work.charge(states_.transitions.size());
  Ways ways{price, std::vector<Int128>(states_.size(), kNoWay)};
  ways.costs.back() = 0;
  for (StateIndex s = states_.size() - 1; s-- > 0;) {
    for (const Transition& transition : states_.from(s)) {
      if (ways.costs[transition.to] == kNoWay) continue;
      ways.costs[s] = std::min(ways.costs[s], ways.costs[transition.to] + cost_of(transition, price));
    }
  }
  return ways;
}

WayBounds::Point WayBounds::cheapest(const Ways& ways) const {
  Point point{0, states_.run_cost};
  for (StateIndex s = 0; s + 1 < states_.size();) {
    const auto is_on_it = [&](const Transition& next) {
      return ways.costs[next.to] != kNoWay && ways.costs[s] == ways.costs[next.to] + cost_of(next, ways.price);
    };
    const auto transitions = states_.from(s);
    const Transition& transition = *std::ranges::find_if(transitions, is_on_it);
    if (transition.keeps != kNoStorage) point.bytes += problem_.storages[transition.keeps].bytes;
    point.run_cost += transition.run_cost;
    s = transition.to;
  }
  return point;
}

Price WayBounds::price_at_limit(const Ways& least, const Ways& most, WorkBudget& work) const {
  if (least.costs[0] == kNoWay) return least.price;
  Point within = cheapest(least), above = cheapest(most);
  Price price = most.price;
  for (int tried = 0; tried < kMaxTried; ++tried) {
    if (within.bytes >= above.bytes || within.run_cost <= above.run_cost) break;
    price = price_between(within.bytes, within.run_cost, above.bytes, above.run_cost);
    const Point point = cheapest(ways_at(price, work));
    if (price.of(point.run_cost, point.bytes) >= price.of(within.run_cost, within.bytes)) break;
    (point.bytes <= limit_bytes_ ? within : above) = point;
  }
  return price;
}

}  // namespace fxcut
