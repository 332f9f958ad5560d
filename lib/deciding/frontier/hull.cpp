#include "frontier/hull.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "frontier/hull_edge.h"
#include "frontier/lagrangian_bound.h"

namespace fxcut {
namespace {

class PricedSearch {
 public:
  PricedSearch(const RecomputeProblem& problem, const Price& price, WorkBudget& work)
      : problem_(problem), price_(price), incumbent_(problem, kNoLimit, work) {}

  Int128 look_at(Relaxation& relaxation) {
    const PricedOptimum optimum = optimum_at(problem_, relaxation, incumbent_, price_);
    Evaluation evaluation(problem_);
    const Outcome outcome = evaluation.run(optimum.point.used);
    const Int128 cost = price_.of(outcome.run_cost, outcome.bytes);
    if (outcome.feasible && (!has_best_ || cost < best_cost_)) {
      best_ = {evaluation.used(), outcome.run_cost, outcome.bytes};
      best_cost_ = cost;
      has_best_ = true;
    }
    if (optimum.is_exact || optimum.value >= best_cost_) return optimum.value;
    const StorageIndex split = choose_split(relaxation.state().fixings, evaluation);
    if (split == kNoStorage) {
      is_proven_ = false;
      return optimum.value;
    }
    for (const Fixing fixing : {Fixing::Dropped, Fixing::Kept}) {
      open_.push_back(relaxation.state().fixings);
      open_.back()[split] = fixing;
    }
    return optimum.value;
  }

  PricedChoice run(Relaxation& relaxation, std::int64_t most_parts) {
    const Int128 bound = look_at(relaxation);
    for (std::int64_t parts = 1; !open_.empty(); ++parts) {
      if (parts >= most_parts || incumbent_.is_spent()) {
        is_proven_ = false;
        break;
      }
      std::optional<FixedState> state = propagate(problem_, std::move(open_.back()), kNoLimit);
      open_.pop_back();
      if (!state) continue;
      Relaxation narrower(problem_, std::move(*state), relaxation.charged());
      look_at(narrower);
    }
    return {std::move(best_), is_proven_ ? best_cost_ : bound, incumbent_.cuts(), is_proven_};
  }

 private:
  // An open storage with recomputed views or several roots; else any that is open and used.
  StorageIndex choose_split(const Fixings& fixings, const Evaluation& evaluation) const {
    StorageIndex any = kNoStorage;
    for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
      const Item& item = problem_.items[i];
      if (item.storage == kNoStorage || fixings[item.storage] != Fixing::Open) continue;
      if (!evaluation.is_saved(i) && !evaluation.is_recomputed(i)) continue;
      if (item.is_view || problem_.storages[item.storage].roots > 1) return item.storage;
      any = item.storage;
    }
    return any;
  }

  const RecomputeProblem& problem_;
  const Price& price_;
  Incumbent incumbent_;
  Choice best_;
  Int128 best_cost_ = 0;
  bool has_best_ = false, is_proven_ = true;
  std::vector<Fixings> open_;
};

constexpr std::int64_t kMaxParts = 200;  // to settle one price
constexpr std::int64_t kMaxOnEdge = 3;   // of the choices between two corners

// Whether `middle` is on or above the line between its neighbours.
bool is_not_corner(const Choice& left, const Choice& middle, const Choice& right) {
  const Price price = price_between(left.bytes, left.run_cost, right.bytes, right.run_cost);
  return price.of(middle.run_cost, middle.bytes) >= price.of(left.run_cost, left.bytes);
}

class Tracing {
 public:
  Tracing(const RecomputeProblem& problem, FixedState state) : problem_(problem), relaxation_(problem, std::move(state)) {}

  Hull run() {
    const HullCorner left = corner_at(least_bytes(problem_)), right = corner_at(least_recomputing(problem_));
    if (right.choice.bytes > left.choice.bytes) {
      search_between(left, right);
      found_.push_back(right);
    } else {
      found_.push_back(left);
    }
    keep_corners();
    sort_between();
    return std::move(hull_);
  }

  std::vector<HullCorner> run_spread(std::int64_t most_bytes, std::size_t most) {
    found_.push_back(corner_at(least_bytes(problem_)));
    found_.push_back(corner_at(least_recomputing(problem_)));
    std::vector<bool> is_edge(1, false);  // by corner, whether none is between it and the next
    for (std::size_t corners = found_.size(); corners < most;) {
      const auto gap = [&](std::size_t i) {
        return is_edge[i] ? 0 : std::min(found_[i + 1].choice.bytes, most_bytes) - found_[i].choice.bytes;
      };
      std::size_t widest = 0;
      for (std::size_t i = 1; i + 1 < found_.size(); ++i) {
        if (gap(i) > gap(widest)) widest = i;
      }
      if (gap(widest) <= 0) break;
      std::optional<HullCorner> middle = corner_below(found_[widest], found_[widest + 1]);
      is_edge[widest] = !middle;
      if (middle) ++corners;
      std::vector<HullCorner> inserted = middle ? std::vector{*std::move(middle)}
                                                : spread_on_edge(found_[widest], found_[widest + 1], most_bytes);
      const auto after = static_cast<std::ptrdiff_t>(widest + 1);
      is_edge.insert(is_edge.begin() + after, inserted.size(), is_edge[widest]);
      found_.insert(found_.begin() + after, std::make_move_iterator(inserted.begin()), std::make_move_iterator(inserted.end()));
    }
    return std::move(found_);
  }

 private:
  HullCorner corner_at(const Price& price) {
    WorkBudget work(SearchLimits{}, problem_.items.size());  // for each price its own, so that corners are independent
    PricedChoice best = best_at(problem_, relaxation_, price, kMaxParts, work);
    hull_.cuts += best.cuts;
    return {std::move(best.choice), best.is_proven, price};
  }

  // Appends the left one and the corners between the two, fewest bytes first.
  void search_between(const HullCorner& left, const HullCorner& right) {
    std::vector<std::pair<HullCorner, HullCorner>> open{{left, right}};  // the next to search between last
    while (!open.empty()) {
      auto [from, to] = std::move(open.back());
      open.pop_back();
      std::optional<HullCorner> middle = corner_between(from, to);
      if (!middle) {
        found_.push_back(std::move(from));
        continue;
      }
      open.emplace_back(*middle, std::move(to));
      open.emplace_back(std::move(from), *std::move(middle));
    }
  }

  static Price price_of_line(const HullCorner& left, const HullCorner& right) {
    return price_between(left.choice.bytes, left.choice.run_cost, right.choice.bytes, right.choice.run_cost);
  }

  // Below the line between two corners; nothing if none is.
  std::optional<HullCorner> corner_below(const HullCorner& left, const HullCorner& right) {
    if (left.choice.run_cost <= right.choice.run_cost) return std::nullopt;
    const Price price = price_of_line(left, right);
    HullCorner middle = corner_at(price);
    const Int128 line = price.of(left.choice.run_cost, left.choice.bytes);
    return price.of(middle.choice.run_cost, middle.choice.bytes) < line ? std::optional(std::move(middle)) : std::nullopt;
  }

  // The same; if there is none, the edge instead.
  std::optional<HullCorner> corner_between(const HullCorner& left, const HullCorner& right) {
    std::optional<HullCorner> middle = corner_below(left, right);
    if (!middle && left.choice.run_cost > right.choice.run_cost) add_edge(price_of_line(left, right));
    return middle;
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

  // A few of the choices on the edge, at even distances below `most_bytes`: as good as corners, at the price of the edge. The
  // relaxation has their bytes, so that only those are evaluated.
  std::vector<HullCorner> spread_on_edge(const HullCorner& left, const HullCorner& right, std::int64_t most_bytes) {
    if (left.choice.run_cost <= right.choice.run_cost) return {};
    const Price price = price_of_line(left, right);
    const Int128 line = price.of(left.choice.run_cost, left.choice.bytes);
    const HullEdge edge(relaxation_, price);
    std::vector<HullEdge::Point> points = edge.points();
    std::ranges::stable_sort(points, {}, &HullEdge::Point::bytes);
    const std::int64_t first = left.choice.bytes, last = std::min(right.choice.bytes, most_bytes);
    std::vector<HullCorner> spread;
    Evaluation evaluation(problem_);
    for (const HullEdge::Point& point : points) {
      const std::int64_t next = first + (last - first) / (kMaxOnEdge + 1) * (std::ssize(spread) + 1);
      if (std::ssize(spread) >= kMaxOnEdge || point.bytes < next || point.bytes <= first || point.bytes >= last) continue;
      const Outcome outcome = evaluation.run(edge.kept_after(point.steps));
      const bool is_on_line = outcome.feasible && price.of(outcome.run_cost, outcome.bytes) == line;
      if (!is_on_line || outcome.bytes <= first || outcome.bytes >= last) continue;
      spread.push_back({{evaluation.used(), outcome.run_cost, outcome.bytes}, true, price});
    }
    return spread;
  }

  // A choice found between two others may be on the line between two that were found later.
  void keep_corners() {
    for (HullCorner& corner : found_) {
      while (hull_.corners.size() >= 2 &&
             is_not_corner(hull_.corners[hull_.corners.size() - 2].choice, hull_.corners.back().choice, corner.choice)) {
        hull_.between.push_back(std::move(hull_.corners.back().choice));
        hull_.corners.pop_back();
      }
      hull_.corners.push_back(std::move(corner));
    }
  }

  // Leaves only choices that no corner and no other choice beats.
  void sort_between() {
    auto& between = hull_.between;
    std::stable_sort(between.begin(), between.end(), [](const Choice& a, const Choice& b) {
      return std::pair(a.bytes, a.run_cost) < std::pair(b.bytes, b.run_cost);
    });
    std::vector<Choice> kept;
    auto corner = hull_.corners.begin();
    std::optional<Int128> least;  // run cost so far
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

PricedChoice best_at(const RecomputeProblem& problem, Relaxation& relaxation, const Price& price, std::int64_t most_parts,
                     WorkBudget& work) {
  return PricedSearch(problem, price, work).run(relaxation, most_parts);
}

Hull trace_hull(const RecomputeProblem& problem) {
  auto state = propagate(problem, all_open(problem), kNoLimit);
  if (!state) return {};
  return Tracing(problem, std::move(*state)).run();
}

std::vector<HullCorner> spread_corners(const RecomputeProblem& problem, std::int64_t most_bytes, std::size_t most) {
  auto state = propagate(problem, all_open(problem), kNoLimit);
  if (!state) return {};
  return Tracing(problem, std::move(*state)).run_spread(most_bytes, most);
}

}  // namespace fxcut
