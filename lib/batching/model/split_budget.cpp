#include "model/split_budget.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

#include "graph/int128.h"

namespace fxcut {
namespace {

// From a graph's point to a later one of its frontier.
struct Step {
  double price = 0;  // cost that a byte saves
  std::size_t graph = 0;
  std::size_t to = 0;

  // The highest price first; among equal ones the first graph's shortest step.
  bool operator<(const Step& other) const {
    return std::tuple(price, other.graph, other.to) < std::tuple(other.price, graph, to);
  }
};

bool is_corner(const FrontierPoint& point) { return point.corner; }
bool is_any(const FrontierPoint&) { return true; }

// Steps from corner to corner of the hulls, the highest price first; then any that fit.
class Climbing {
 public:
  // From these points on.
  Climbing(std::span<const Frontier> frontiers, std::int64_t limit_bytes, std::vector<std::size_t> points)
      : frontiers_(frontiers), left_bytes_(limit_bytes), at_(std::move(points)) {
    for (std::size_t graph = 0; graph < frontiers.size(); ++graph) {
      if (!frontiers[graph].empty()) left_bytes_ -= frontiers[graph][at_[graph]].saved_bytes;
    }
  }

  BudgetSplit split() {
    climb(is_corner);
    climb(is_any);
    BudgetSplit split;
    for (std::size_t graph = 0; graph < frontiers_.size(); ++graph) {
      split.limits.push_back(frontiers_[graph].empty() ? 0 : frontiers_[graph][at_[graph]].saved_bytes);
      split.recompute_cost += frontiers_[graph].empty() ? 0 : frontiers_[graph][at_[graph]].recompute_cost;
    }
    if (const std::priority_queue<Step> steps = next_steps(is_any); !steps.empty()) {
      split.limits[steps.top().graph] += left_bytes_;
    }
    return split;
  }

 private:
  using Counts = bool (*)(const FrontierPoint&);

  // To the next point for which `counts` is true.
  std::optional<Step> next_step(std::size_t graph, Counts counts) const {
    const Frontier& points = frontiers_[graph];
    for (std::size_t to = at_[graph] + 1; to < points.size(); ++to) {
      const double saves = points[at_[graph]].recompute_cost - points[to].recompute_cost;
      if (counts(points[to]) && saves > 0) return Step{saves / static_cast<double>(bytes_of(graph, to)), graph, to};
    }
    return std::nullopt;
  }

  std::priority_queue<Step> next_steps(Counts counts) const {
    std::priority_queue<Step> steps;
    for (std::size_t graph = 0; graph < frontiers_.size(); ++graph) {
      if (const auto step = next_step(graph, counts)) steps.push(*step);
    }
    return steps;
  }

  // Takes steps while any fits.
  void climb(Counts counts) {
    std::priority_queue<Step> steps = next_steps(counts);
    while (!steps.empty()) {
      const Step step = steps.top();
      steps.pop();
      if (bytes_of(step.graph, step.to) > left_bytes_) continue;  // later steps are larger
      left_bytes_ -= bytes_of(step.graph, step.to);
      at_[step.graph] = step.to;
      if (const auto next = next_step(step.graph, counts)) steps.push(*next);
    }
  }

  // The additional bytes.
  std::int64_t bytes_of(std::size_t graph, std::size_t to) const {
    return frontiers_[graph][to].saved_bytes - frontiers_[graph][at_[graph]].saved_bytes;
  }

  std::span<const Frontier> frontiers_;
  std::int64_t left_bytes_;
  std::vector<std::size_t> at_;
};

constexpr std::size_t kMaxGraphsSummed = 64;  // what thinning loses adds up over the graphs
constexpr std::int64_t kMaxSums = 2048;       // kept of some graphs together

// One point of each of the first graphs.
struct Sum {
  std::int64_t bytes = 0;
  double cost = 0;
  std::size_t before = 0;  // the sum without the last of these graphs
  std::size_t point = 0;   // of that one's frontier
};

// Within the limit, by rising bytes; each costs less than all before it.
using Sums = std::vector<Sum>;

Sums undominated(Sums sums) {
  std::ranges::stable_sort(sums, {}, [](const Sum& sum) { return std::pair(sum.bytes, sum.cost); });
  Sums kept;
  for (const Sum& sum : sums) {
    if (kept.empty() || sum.cost < kept.back().cost) kept.push_back(sum);
  }
  return kept;
}

// The first, and of the others the last of each of kMaxSums equal ranges of bytes.
Sums thinned(const Sums& sums) {
  const std::int64_t width = (sums.back().bytes - sums.front().bytes) / kMaxSums + 1;
  Sums kept;
  std::int64_t range = -1;
  for (const Sum& sum : sums) {
    const std::int64_t own = (sum.bytes - sums.front().bytes) / width;
    if (kept.size() > 1 && own == range) kept.back() = sum;
    else kept.push_back(sum);
    range = own;
  }
  return kept;
}

// `least_of_others`: the least bytes of the graphs that are still to come.
Sums with_graph(const Sums& before, const Frontier& frontier, std::int64_t limit_bytes, std::int64_t least_of_others) {
  Sums sums;
  for (std::size_t i = 0; i < before.size(); ++i) {
    for (std::size_t point = 0; point < frontier.size(); ++point) {
      if (frontier[point].saved_bytes > limit_bytes - least_of_others - before[i].bytes) break;
      sums.push_back({before[i].bytes + frontier[point].saved_bytes, before[i].cost + frontier[point].recompute_cost, i, point});
    }
  }
  return thinned(undominated(std::move(sums)));
}

std::int64_t least_of(const Frontier& frontier) { return frontier.empty() ? 0 : frontier.front().saved_bytes; }

// By graph, the position of its point in the cheapest sum within the limit.
std::vector<std::size_t> cheapest_points(std::span<const Frontier> frontiers, std::int64_t limit_bytes) {
  std::int64_t least_of_others = least_bytes(frontiers);
  std::vector<Sums> sums = {{Sum{}}};  // before each graph that has points
  for (const Frontier& frontier : frontiers) {
    least_of_others -= least_of(frontier);
    if (!frontier.empty()) sums.push_back(with_graph(sums.back(), frontier, limit_bytes, least_of_others));
  }
  std::vector<std::size_t> points(frontiers.size(), 0);
  std::size_t at = sums.back().size() - 1;
  for (std::size_t graph = frontiers.size(); graph-- > 0;) {
    if (frontiers[graph].empty()) continue;
    points[graph] = sums.back()[at].point;
    at = sums.back()[at].before;
    sums.pop_back();
  }
  return points;
}

}  // namespace

std::int64_t least_bytes(std::span<const Frontier> frontiers) {
  constexpr Int128 kMost = std::numeric_limits<std::int64_t>::max();
  Int128 sum = 0;
  for (const Frontier& frontier : frontiers) sum += least_of(frontier);
  return static_cast<std::int64_t>(std::min(sum, kMost));
}

std::optional<BudgetSplit> split_budget(std::span<const Frontier> frontiers, std::int64_t limit_bytes) {
  if (least_bytes(frontiers) > limit_bytes) return std::nullopt;
  BudgetSplit climbed = Climbing(frontiers, limit_bytes, std::vector<std::size_t>(frontiers.size(), 0)).split();
  if (frontiers.size() > kMaxGraphsSummed) return climbed;
  BudgetSplit summed = Climbing(frontiers, limit_bytes, cheapest_points(frontiers, limit_bytes)).split();
  return summed.recompute_cost < climbed.recompute_cost ? summed : climbed;
}

}  // namespace fxcut
