#include "frontier/lagrangian_bound.h"

#include <algorithm>
#include <utility>

namespace fxcut {
namespace {

constexpr int kMostRounds = 4;   // of charging views anew, at one price
constexpr int kMostPrices = 64;  // asked for one bound; a hull has few corners between two points

Wide divide_up(Wide a, Wide b) { return a >= 0 ? (a + b - 1) / b : -(-a / b); }

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
  Bounding(const RecomputeProblem& problem, Relaxation& relaxation, Incumbent& incumbent)
      : problem_(problem), relaxation_(relaxation), incumbent_(incumbent) {}

  LagrangianBound run(const std::optional<Price>& hint) {
    if (hint && ask(*hint)) return std::move(bound_);
    if (!bound_.within && ask(least_bytes(problem_))) return std::move(bound_);
    if (!bound_.within || is_infeasible()) {
      bound_.feasible = !is_infeasible();
      return std::move(bound_);
    }
    if (!bound_.beyond && ask(least_recomputing(problem_))) return std::move(bound_);
    for (int asked = 0; bound_.beyond && asked < kMostPrices; ++asked) {
      const HullPoint &within = *bound_.within, &beyond = *bound_.beyond;
      if (within.run_cost <= beyond.run_cost) break;  // the relaxation knows no better
      const Price price = price_between(within.bytes, within.run_cost, beyond.bytes, beyond.run_cost);
      if (ask(price, price.of(within.run_cost, within.bytes)) || ended_) break;
    }
    return std::move(bound_);
  }

 private:
  // At the price of least_bytes a byte too much costs more than running everything again.
  bool is_infeasible() const { return bound_.run_cost >= least_bytes(problem_).run_cost; }

  // Whether the bound needs no more asking. `line`: what must be beaten for a point to take another's place.
  bool ask(const Price& price, std::optional<Wide> line = std::nullopt) {
    PricedOptimum optimum = optimum_at(problem_, relaxation_, incumbent_, price);
    bound_.price = price;
    const Wide least = divide_up(optimum.value - price.run_cost * incumbent_.limit_bytes(), price.bytes);
    bound_.run_cost = std::max(bound_.run_cost, least);
    if (incumbent_.is_no_better(bound_.run_cost)) return bound_.is_attained = true;
    const bool improves = !line || price.of(optimum.point.run_cost, optimum.point.bytes) < *line;
    ended_ = !improves;
    if (improves) {
      (optimum.point.bytes <= incumbent_.limit_bytes() ? bound_.within : bound_.beyond) = std::move(optimum.point);
    }
    return false;
  }

  const RecomputeProblem& problem_;
  Relaxation& relaxation_;
  Incumbent& incumbent_;
  LagrangianBound bound_;
  bool ended_ = false;
};

}  // namespace

Price least_recomputing(const RecomputeProblem& problem) {
  Wide bytes = 1;
  for (const KeepableStorage& storage : problem.storages) bytes += storage.bytes;
  return {1, bytes};
}

Price least_bytes(const RecomputeProblem& problem) {
  Wide run_cost = 1;
  for (const Item& item : problem.items) run_cost += item.run_cost;
  return {run_cost, 1};
}

PricedOptimum optimum_at(const RecomputeProblem& problem, Relaxation& relaxation, Incumbent& incumbent, const Price& price) {
  PricedOptimum optimum;
  for (int round = 0; round < kMostRounds; ++round) {
    const Relaxation::Cut cut = relaxation.cut(price);
    ++incumbent.cuts;
    const Outcome outcome = incumbent.offer(cut.kept);
    HullPoint point = point_of(problem, relaxation.state(), incumbent.evaluation(), outcome);
    const Wide cost = price.of(point.run_cost, point.bytes);
    if (round == 0 || cut.value > optimum.value) optimum.value = cut.value;
    if (round == 0 || cost < price.of(optimum.point.run_cost, optimum.point.bytes)) optimum.point = std::move(point);
    optimum.is_exact = price.of(optimum.point.run_cost, optimum.point.bytes) == optimum.value;
    if (optimum.is_exact || !relaxation.adapt(incumbent.evaluation())) break;
  }
  return optimum;
}

LagrangianBound lagrangian_bound(const RecomputeProblem& problem, Relaxation& relaxation, Incumbent& incumbent,
                                 const std::optional<Price>& hint) {
  return Bounding(problem, relaxation, incumbent).run(hint);
}

}  // namespace fxcut
