#include "model/split_budget.h"

#include <queue>
#include <tuple>

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

class Splitting {
 public:
  Splitting(std::span<const Frontier> frontiers, std::int64_t left_bytes)
      : frontiers_(frontiers), left_bytes_(left_bytes), at_(frontiers.size(), 0) {}

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

}  // namespace

std::int64_t least_bytes(std::span<const Frontier> frontiers) {
  std::int64_t sum = 0;
  for (const Frontier& frontier : frontiers) sum += frontier.empty() ? 0 : frontier.front().saved_bytes;
  return sum;
}

std::optional<BudgetSplit> split_budget(std::span<const Frontier> frontiers, std::int64_t limit_bytes) {
  const std::int64_t least = least_bytes(frontiers);
  if (least > limit_bytes) return std::nullopt;
  return Splitting(frontiers, limit_bytes - least).split();
}

}  // namespace fxcut
