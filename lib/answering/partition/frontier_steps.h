// A graph prepared for its frontier, and the steps of choices on it.
//
// The peak of a choice of kept storages is simulated operator by operator (peak/step_simulation.h); its two graphs are made only
// if inductor's code or the time of the step is asked for (peak/predicted_step.h), which takes a hundred times as long.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "cost/analysis.h"
#include "cost/size.h"
#include "frontier/evaluate.h"
#include "graph/graph.h"
#include "partition/decide_by_partitioner.h"
#include "peak/predicted_step.h"
#include "policy/policy_stack.h"
#include "settings/settings.h"

namespace fxcut {

// For each choice in `points`, its storages.
template <typename Point>
std::vector<const KeptStorages*> kept_by(const std::vector<Point>& points) {
  std::vector<const KeptStorages*> kept;
  for (const Point& point : points) kept.push_back(&point.choice.kept);
  return kept;
}

// At most `most` of the points, evenly spaced and including the last. They are in the order of their peaks, rising or falling.
template <typename Point>
std::vector<Point> spread_over_peaks(std::vector<Point> points, std::size_t most) {
  if (points.size() <= most) return points;
  const Int128 first = points.front().peak_bytes, last = points.back().peak_bytes;
  std::vector<Point> chosen;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Int128 at = first + (last - first) * static_cast<Int128>(chosen.size()) / static_cast<Int128>(most - 1);
    const Int128 peak = points[i].peak_bytes;
    const bool is_there = (first <= last ? peak >= at : peak <= at) && chosen.size() + 1 < most;
    if (is_there || i + 1 == points.size()) chosen.push_back(std::move(points[i]));
  }
  return chosen;
}

class FrontierSteps {
 public:
  // `joint` is as it was read; limits of memory in the settings are ignored. Throws Failure (NoPartition) if the minimum-cut
  // partitioner refuses the graph.
  FrontierSteps(JointGraph joint, Settings settings, const PolicyStack& policies);
  FrontierSteps(const FrontierSteps&) = delete;
  FrontierSteps& operator=(const FrontierSteps&) = delete;

  bool backward_is_empty() const { return prepared_->roles.backward_is_empty; }
  const Analysis& analysis() const { return *analysis_; }
  const StorageBytes& storages() const { return storages_; }

  // For each choice, of a problem of analysis(): the peak of its operators.
  std::vector<Int128> simulated_peaks(const RecomputeProblem& problem, const std::vector<const KeptStorages*>& choices) const;

  // For each choice; nullopt if its graphs cannot be made. The generator states of recomputed random calls are saved.
  std::vector<std::optional<PredictedCost>> costs(const RecomputeProblem& problem,
                                                  const std::vector<const KeptStorages*>& choices);

 private:
  Settings settings_;
  StorageBytes storages_;
  std::optional<Prepared> prepared_;
  std::vector<std::int64_t> distance_;
  std::optional<Analysis> analysis_;
};

}  // namespace fxcut
