#include "frontier/lagrangian_bound.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace fxcut {
namespace {

constexpr int kMaxPrices = 64;  // tried for one bound; a hull has few corners between two points

Int128 divide_up(Int128 a, Int128 b) { return a >= 0 ? (a + b - 1) / b : -(-a / b); }

HullPoint point_of(const RecomputeProblem& problem, const FixedState& state, const Evaluation& evaluation,
                   const Outcome& outcome) {
  HullPoint point{evaluation.used(), outcome.run_cost, state.kept_bytes};
  for (std::size_t s = 0; s < problem.storages.size(); ++s) {
    if (point.used[s] && state.fixings[s] == Fixing::Open) point.bytes += problem.storages[s].bytes;
  }
  return point;
}

class Bounding {
 public:
  Bounding(const RecomputeProblem& problem, Relaxation& relaxation, Incumbent& incumbent, std::int64_t limit)
      : problem_(problem), relaxation_(relaxation), incumbent_(incumbent), limit_(limit) {}

  LagrangianBound run(const LagrangianBound* wider) {
    if (wider) {
      rounds_ = 1;
      bound_.run_cost = wider->run_cost;
      bound_.price = wider->price;
      bound_.within = among_these(wider->within);
      bound_.above = among_these(wider->above);
      if (incumbent_.is_spent()) return finish();
      if (solve_at(wider->price)) return std::move(bound_);
      if (seek_other_end(wider->price)) return std::move(bound_);
    }
    if (incumbent_.is_spent()) return finish();
    if (!bound_.within && solve_at(least_bytes(problem_))) return std::move(bound_);
    if (!bound_.within || is_infeasible()) {
      bound_.feasible = !is_infeasible();
      return std::move(bound_);
    }
    if (incumbent_.is_spent()) return finish();
    if (!bound_.above && solve_at(least_recomputing(problem_))) return std::move(bound_);
    for (int tried = 0; bound_.above && tried < kMaxPrices && !incumbent_.is_spent(); ++tried) {
      const HullPoint &within = *bound_.within, &above = *bound_.above;
      if (within.run_cost <= above.run_cost) break;  // the relaxation cannot improve
      const Price price = price_between(within.bytes, within.run_cost, above.bytes, above.run_cost);
      if (rounds_ == 1 && is_near(within, above)) break;
      if (solve_at(price, price.of(within.run_cost, within.bytes))) return std::move(bound_);
      if (ended_) break;
    }
    if (rounds_ == 1 && bound_.above && !incumbent_.is_spent()) {
      rounds_ = 4;
      solve_at(bound_.price, Int128{0});
    }
    return finish();
  }

 private:
  // Tries prices farther and farther from one whose optimum is on one side of the limit, until an optimum is on the other.
  bool seek_other_end(const Price& price) {
    for (const auto& [times, by] : {std::pair<Int128, Int128>{9, 8}, {3, 2}, {4, 1}}) {
      if ((bound_.within && bound_.above) || incumbent_.is_spent()) return false;
      const bool is_dearer = !bound_.within;
      if (solve_at(is_dearer ? relative_price(problem_, price, times, by) : relative_price(problem_, price, by, times))) {
        return true;
      }
    }
    return false;
  }

  // Whether the best price would close little of the gap to the incumbent.
  bool is_near(const HullPoint& within, const HullPoint& above) const {
    if (!incumbent_.best()) return false;
    const Int128 run = within.run_cost - above.run_cost, bytes = above.bytes - within.bytes;
    const Int128 most = within.run_cost - run * (limit_ - within.bytes) / bytes;
    const Int128 missing = incumbent_.best()->run_cost - bound_.run_cost;
    return most < incumbent_.best()->run_cost && (most - bound_.run_cost) * 8 < missing;
  }

  LagrangianBound finish() {
    bound_.charged = relaxation_.charged();
    return std::move(bound_);
  }

  // The point, if it is a choice within the fixings.
  std::optional<HullPoint> among_these(std::optional<HullPoint> point) const {
    const FixedState& state = relaxation_.state();
    if (!point) return point;
    point->bytes = 0;
    for (std::size_t s = 0; s < problem_.storages.size(); ++s) {
      if (state.fixings[s] == Fixing::Dropped && point->used[s]) return std::nullopt;
      if (state.fixings[s] == Fixing::Kept && !point->used[s] && problem_.storages[s].bytes > 0) return std::nullopt;
      if (point->used[s]) point->bytes += problem_.storages[s].bytes;
    }
    return point;
  }

  // At the price of least_bytes a byte above the limit costs more than recomputing everything.
  bool is_infeasible() const { return bound_.run_cost >= least_bytes(problem_).run_cost; }

  // Solves at a price; returns whether the bound is attained. `line`: the cost that a new end point must beat.
  bool solve_at(const Price& price, std::optional<Int128> line = std::nullopt) {
    PricedOptimum optimum = optimum_at(problem_, relaxation_, incumbent_, price, rounds_);
    bound_.price = price;
    const Int128 least = divide_up(optimum.value - price.run_cost * limit_, price.bytes);
    bound_.run_cost = std::max(bound_.run_cost, incumbent_.run_costs().round_up(least));
    if (incumbent_.is_no_better(bound_.run_cost)) return bound_.is_attained = true;
    const bool improves = !line || price.of(optimum.point.run_cost, optimum.point.bytes) < *line;
    ended_ = !improves;
    if (improves) {
      (optimum.point.bytes <= limit_ ? bound_.within : bound_.above) = std::move(optimum.point);
    }
    return false;
  }

  const RecomputeProblem& problem_;
  Relaxation& relaxation_;
  Incumbent& incumbent_;
  std::int64_t limit_;
  LagrangianBound bound_;
  bool ended_ = false;
  int rounds_ = 4;
};

}  // namespace

Price least_recomputing(const RecomputeProblem& problem) {
  Int128 bytes = 1;
  for (const KeepableStorage& storage : problem.storages) bytes += storage.bytes;
  return {1, bytes};
}

Price least_bytes(const RecomputeProblem& problem) {
  Int128 run_cost = 1;
  for (const Item& item : problem.items) run_cost += item.run_cost;
  for (const KeepableStorage& storage : problem.storages) run_cost += storage.keep_cost;
  return {run_cost, 1};
}

Price relative_price(const RecomputeProblem& problem, const Price& price, Int128 times, Int128 by) {
  const Int128 divisor = std::gcd(price.run_cost * times, price.bytes * by);
  Price dearer{price.run_cost * times / divisor, price.bytes * by / divisor};
  const Int128 most_run_cost = least_bytes(problem).run_cost, most_bytes = least_recomputing(problem).bytes;
  while (dearer.run_cost > most_run_cost || dearer.bytes > most_bytes) {
    dearer = {(dearer.run_cost + 1) / 2, (dearer.bytes + 1) / 2};
  }
  return dearer;
}

PricedOptimum optimum_at(const RecomputeProblem& problem, Relaxation& relaxation, Incumbent& incumbent,
                         const Price& price, int most_rounds) {
  PricedOptimum optimum;
  for (int round = 0; round < most_rounds; ++round) {
    const Relaxation::Cut cut = relaxation.cut(price);
    incumbent.take_cut(relaxation.num_edges());
    const Outcome outcome = incumbent.offer(cut.kept);
    HullPoint point = point_of(problem, relaxation.state(), incumbent.evaluation(), outcome);
    const Int128 cost = price.of(point.run_cost, point.bytes);
    if (round == 0 || cut.value > optimum.value) optimum.value = cut.value;
    if (round == 0 || cost < price.of(optimum.point.run_cost, optimum.point.bytes)) optimum.point = std::move(point);
    optimum.is_exact = price.of(optimum.point.run_cost, optimum.point.bytes) == optimum.value;
    if (optimum.is_exact || round + 1 == most_rounds || incumbent.is_spent() || !relaxation.adapt(incumbent.evaluation())) break;
  }
  return optimum;
}

LagrangianBound lagrangian_bound(const RecomputeProblem& problem, Relaxation& relaxation, Incumbent& incumbent,
                                 const LagrangianBound* wider) {
  return Bounding(problem, relaxation, incumbent, incumbent.limit_bytes()).run(wider);
}

LagrangianBound lagrangian_bound(const RoundedLimit& rounded, Relaxation& relaxation, Incumbent& incumbent,
                                 const LagrangianBound* wider) {
  return Bounding(rounded.problem, relaxation, incumbent, rounded.limit).run(wider);
}

}  // namespace fxcut
