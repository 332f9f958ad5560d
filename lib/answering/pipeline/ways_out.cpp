#include "pipeline/ways_out.h"

#include <algorithm>
#include <utility>

#include "cost/estimators.h"
#include "diagnostic/diagnostic.h"
#include "frontier/hull.h"
#include "frontier/recompute_problem.h"
#include "pipeline/frontier_steps.h"
#include "settings/memory_limit.h"
#include "solve/budget_solvers.h"
#include "system/threads.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxCorners = 14, kMaxPredicted = 5, kMaxWays = 4;
constexpr double kMaxPeakRatio = 0.97;  // to the row before: smaller gains are not worth a row

struct Way {
  Choice choice;
  Wide peak_bytes = 0;
  std::optional<double> step_ms = std::nullopt;  // once it is predicted
};

// Each with a peak below that of the one before it, the first below `peak_bytes`.
std::vector<Way> with_falling_peaks(std::vector<Way> ways, Wide peak_bytes) {
  std::erase_if(ways, [&](const Way& way) {
    if (static_cast<double>(way.peak_bytes) > kMaxPeakRatio * static_cast<double>(peak_bytes)) return true;
    peak_bytes = way.peak_bytes;
    return false;
  });
  return ways;
}

class WaysOut {
 public:
  WaysOut(FrontierSteps& steps, const Report& decided)
      : steps_(steps), decided_(decided),
        problem_(costed_problem(steps.analysis(), steps.storages(), estimator_of_frontier(steps.analysis().settings))) {}

  std::vector<WayOut> run() const {
    std::vector<Way> ways = spread_over_peaks(with_falling_peaks(simulated(), decided_.memory.peak_bytes), kMaxPredicted);
    ways = predicted(std::move(ways));
    if (decided_.memory.compiled) ways = with_falling_peaks(std::move(ways), decided_.memory.compiled->peak_bytes);
    ways = spread_over_peaks(std::move(ways), kMaxWays);
    std::vector<WayOut> found;
    for (const Way& way : ways) {
      found.push_back({way.peak_bytes, way.choice.bytes, *way.step_ms - decided_.run_time->step_ms});
    }
    return found;
  }

 private:
  // Corners below the bytes of the decision, most bytes first.
  std::vector<Way> simulated() const {
    std::vector<Way> ways;
    const std::int64_t held = decided_.totals.saved_bytes_not_static;
    for (HullCorner& corner : spread_corners(problem_, held, kMaxCorners)) {
      if (corner.choice.bytes < held && corner.is_proven) ways.push_back({std::move(corner.choice)});
    }
    std::reverse(ways.begin(), ways.end());
    const std::vector<Wide> peaks = steps_.simulated_peaks(problem_, kept_by(ways));
    for (std::size_t i = 0; i < ways.size(); ++i) ways[i].peak_bytes = peaks[i];
    return ways;
  }

  // With the times of their steps, and the peaks of their compiled code if that is predicted. Those whose graphs cannot be made
  // are left out.
  std::vector<Way> predicted(std::vector<Way> ways) const {
    const auto costs = steps_.costs(problem_, kept_by(ways));
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (!costs[i]) continue;
      ways[i].peak_bytes = costs[i]->compiled_peak_bytes.value_or(ways[i].peak_bytes);
      ways[i].step_ms = costs[i]->step_ms;
    }
    std::erase_if(ways, [](const Way& way) { return !way.step_ms; });
    return ways;
  }

  FrontierSteps& steps_;
  const Report& decided_;
  const RecomputeProblem problem_;
};

std::optional<Partition> take_way_out(const WayOut& way, const JointGraph& joint, Settings settings,
                                      const PolicyStack& policies) {
  settings.activation_memory_budget_solver = frontier_solver();
  settings.saved_bytes_limit = limit_of_bytes(way.held_bytes);
  try {
    return partition(joint, settings, policies);
  } catch (const Failure& failure) {
    if (failure.status() != ExitStatus::NoPartition) throw;
    return std::nullopt;
  }
}

}  // namespace

std::optional<std::vector<WayOut>> find_ways_out(JointGraph joint, Settings settings, const PolicyStack& policies,
                                                 const Report& decided) {
  const std::vector<WayOut> none;
  // By another estimator, the command may find a decision of the same cost that takes a different time.
  const bool is_by_time = estimator_of_frontier(settings).name == estimator_of_frontier({}).name;
  const bool is_step = joint.step != nullptr;
  try {
    FrontierSteps steps(std::move(joint), std::move(settings), policies);
    if (steps.backward_is_empty()) return none;
    const WaysOut ways(steps, decided);  // throws if the estimator has no price
    return is_step || !is_by_time || !decided.run_time ? none : ways.run();
  } catch (const Failure& failure) {
    if (failure.status() != ExitStatus::NoPartition) throw;
    return std::nullopt;
  }
}

// Each second one in a thread of its own.
std::vector<WayTaken> take_ways_out(const std::vector<WayOut>& ways, const JointGraph& joint, const Settings& settings,
                                    const PolicyStack& policies) {
  std::vector<std::optional<Partition>> made(ways.size());
  const auto take_from = [&](std::size_t first) {
    for (std::size_t i = first; i < ways.size(); i += 2) made[i] = take_way_out(ways[i], joint, settings, policies);
    return true;
  };
  at_once(joint.graph.size(), [&] { return take_from(0); }, [&] { return take_from(1); });
  std::vector<WayTaken> taken;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (made[i]) taken.push_back({ways[i], *std::move(made[i])});
  }
  return taken;
}

}  // namespace fxcut
