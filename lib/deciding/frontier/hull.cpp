#include "frontier/hull.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "frontier/hull_edge.h"
#include "frontier/lagrangian_bound.h"
#include "frontier/priced_search.h"

namespace fxcut {
namespace {

constexpr std::int64_t kMostParts = 200;  // to settle one price

// Whether `middle` lies on or above the line between its neighbours.
bool is_no_corner(const Choice& left, const Choice& middle, const Choice& right) {
  const Price price = price_between(left.bytes, left.run_cost, right.bytes, right.run_cost);
  return price.of(middle.run_cost, middle.bytes) >= price.of(left.run_cost, left.bytes);
}

class Tracing {
 public:
  Tracing(const RecomputeProblem& problem, FixedState state)
      : problem_(problem), relaxation_(problem, std::move(state)) {}

  Hull run() {
    const HullCorner left = corner_at(least_bytes(problem_)), right = corner_at(least_recomputing(problem_));
    found_.push_back(left);
    if (right.choice.bytes > left.choice.bytes) {
      search_between(left, right);
      found_.push_back(right);
    }
    keep_corners();
    sort_between();
    return std::move(hull_);
  }

 private:
  HullCorner corner_at(const Price& price) {
    Effort effort(SearchLimits{}, problem_.items.size());  // each price's own, so that no corner hangs on another
    PricedChoice best = best_at(problem_, relaxation_, price, kMostParts, effort);
    hull_.cuts += best.cuts;
    return {std::move(best.choice), best.is_proven, price};
  }

  // Appends what lies between the two and below their line, fewest bytes first.
  void search_between(const HullCorner& left, const HullCorner& right) {
    if (left.choice.run_cost <= right.choice.run_cost) return;
    const Price price =
        price_between(left.choice.bytes, left.choice.run_cost, right.choice.bytes, right.choice.run_cost);
    const HullCorner middle = corner_at(price);
    const Wide line = price.of(left.choice.run_cost, left.choice.bytes);
    if (price.of(middle.choice.run_cost, middle.choice.bytes) >= line) {
      add_edge(price);
      return;
    }
    search_between(left, middle);
    found_.push_back(middle);
    search_between(middle, right);
  }

  void add_edge(const Price& price) {
    ++hull_.cuts;
    const HullEdge edge(relaxation_, price);
    Evaluation evaluation(problem_);
    edge.for_each([&](const KeptStorages& kept) {
      const Outcome outcome = evaluation.run(kept);
      if (outcome.feasible) hull_.between.push_back({evaluation.used(), outcome.run_cost, outcome.bytes});
    });
  }

  // A choice found between two others may lie on the line between two that were found later.
  void keep_corners() {
    for (HullCorner& corner : found_) {
      while (hull_.corners.size() >= 2 &&
             is_no_corner(hull_.corners[hull_.corners.size() - 2].choice, hull_.corners.back().choice, corner.choice)) {
        hull_.between.push_back(std::move(hull_.corners.back().choice));
        hull_.corners.pop_back();
      }
      hull_.corners.push_back(std::move(corner));
    }
  }

  // Of the choices that are no corners, those that no other beats.
  void sort_between() {
    auto& between = hull_.between;
    std::stable_sort(between.begin(), between.end(), [](const Choice& a, const Choice& b) {
      return std::pair(a.bytes, a.run_cost) < std::pair(b.bytes, b.run_cost);
    });
    std::vector<Choice> kept;
    auto corner = hull_.corners.begin();
    std::optional<Wide> least;  // run cost so far
    for (Choice& choice : between) {
      for (; corner != hull_.corners.end() && corner->choice.bytes <= choice.bytes; ++corner) {
        least = least ? std::min(*least, corner->choice.run_cost) : corner->choice.run_cost;
      }
      if (least && choice.run_cost >= *least) continue;
      least = choice.run_cost;
      kept.push_back(std::move(choice));
    }
    between = std::move(kept);
  }

  const RecomputeProblem& problem_;
  Relaxation relaxation_;
  std::vector<HullCorner> found_;
  Hull hull_;
};

}  // namespace

Hull trace_hull(const RecomputeProblem& problem) {
  auto state = propagate(problem, all_open(problem), std::numeric_limits<std::int64_t>::max());
  if (!state) return {};
  return Tracing(problem, std::move(*state)).run();
}

}  // namespace fxcut
