#include "partition/trace_frontier.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "frontier/kernel_costs.h"
#include "frontier/recompute_problem.h"
#include "partition/frontier_steps.h"

namespace fxcut {
namespace {

// The choices have no costs of their own: any problem of the graph evaluates them.
RecomputeProblem problem_of(const FrontierSteps& steps) {
  return recompute_problem(steps.analysis(), steps.storages(), flops_by_node(steps.analysis()));
}

std::vector<TracedPoint> trace(const FrontierSteps& steps, const RecomputeProblem& problem, const Estimator& estimator,
                               std::size_t most_between, HullPrices prices) {
  std::vector<TracedPoint> points;
  for (FrontierPoint& choice : frontier(steps.analysis(), steps.storages(), estimator, most_between, prices)) {
    points.push_back({std::move(choice)});
  }
  const std::vector<Int128> peaks = steps.simulated_peaks(problem, kept_by(points));
  for (std::size_t i = 0; i < points.size(); ++i) points[i].peak_bytes = peaks[i];
  return points;
}

// The steps that no other one beats in both peak and time.
std::vector<TracedStep> fastest(std::vector<TracedStep> steps) {
  std::ranges::stable_sort(steps, [](const TracedStep& a, const TracedStep& b) {
    return std::pair(a.peak_bytes, a.ms) < std::pair(b.peak_bytes, b.ms);
  });
  std::vector<TracedStep> kept;
  for (TracedStep& step : steps) {
    if (kept.empty() || step.ms < kept.back().ms) kept.push_back(std::move(step));
  }
  return kept;
}

}  // namespace

std::vector<TracedPoint> trace_frontier(JointGraph joint, const Settings& settings, const Estimator& estimator,
                                        const PolicyStack& policies, std::size_t most_between) {
  const FrontierSteps steps(std::move(joint), settings, policies);
  if (steps.backward_is_empty()) return {};
  return trace(steps, problem_of(steps), estimator, most_between, HullPrices::Operators);
}

std::vector<TracedStep> trace_peaks(JointGraph joint, const Settings& settings, const Estimator& estimator,
                                    const PolicyStack& policies, std::size_t most) {
  FrontierSteps steps(std::move(joint), settings, policies);
  if (steps.backward_is_empty()) return {};
  const RecomputeProblem problem = problem_of(steps);
  std::vector<TracedPoint> points;
  for (const HullPrices prices : {HullPrices::Kernels, HullPrices::Operators}) {
    std::vector<TracedPoint> of_hull = trace(steps, problem, estimator, most, prices);
    std::ranges::stable_sort(of_hull, {}, &TracedPoint::peak_bytes);
    std::ranges::move(spread_over_peaks(std::move(of_hull), most), std::back_inserter(points));
    if (!prices_kernels(settings, estimator)) break;  // one hull
  }
  const auto costs = steps.costs(problem, kept_by(points));
  std::vector<TracedStep> predicted;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!costs[i]) continue;
    const Int128 peak = costs[i]->compiled_peak_bytes.value_or(points[i].peak_bytes);
    predicted.push_back({std::move(points[i].choice), peak, costs[i]->step_ms});
  }
  return fastest(std::move(predicted));
}

}  // namespace fxcut
