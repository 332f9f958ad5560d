// PyTorch's dynamic_memory_budget_dp: the budget is only an upper limit. Among 100 limits, evenly from 0.001 to the budget, it
// uses the one at the knee: memory saved and time recomputed, each scaled to [0, 1] over the 100 solutions, are the coordinates
// of a point, and the point nearest to (0, 0) is the knee; the first one if several are equally near. If all solutions save or
// recompute the same, it uses the budget itself.
//
// PyTorch sums shares of memory and of run time over a set of names, so in a different order each run: if two points are
// equally near up to the last bit, PyTorch's own result may change from run to run.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "solve/knapsack_rows.h"

namespace fxcut {
namespace {

constexpr std::size_t kLimits = 100;
constexpr double kMinLimit = 0.001;

// Computed like numpy.linspace.
std::vector<double> linspace_up_to(double budget) {
  const double step = (budget - kMinLimit) / static_cast<double>(kLimits - 1);
  std::vector<double> limits;
  for (std::size_t i = 0; i < kLimits; ++i) limits.push_back(static_cast<double>(i) * step + kMinLimit);
  limits.back() = budget;
  return limits;
}

std::vector<double> limits_up_to(double budget) {
  std::vector<double> limits;
  for (std::size_t i = 0; i < kLimits; ++i) {
    limits.push_back(kMinLimit + static_cast<double>(i) * (budget - kMinLimit) / static_cast<double>(kLimits - 1));
  }
  return limits;
}

double sum(const std::vector<double>& of) { return std::accumulate(of.begin(), of.end(), 0.0); }

// Scales values to the range from 0 to 1; false if they are all the same.
bool normalise(std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double from = *least, range = *most - *least;
  if (range == 0) return false;
  for (double& value : values) value = (value - from) / range;
  return true;
}

double share_where(const std::vector<double>& of, const std::vector<bool>& chosen, bool which) {
  double part = 0;
  for (std::size_t i = 0; i < of.size(); ++i) part += chosen[i] == which ? of[i] : 0;
  return part / sum(of);
}

void refuse_zero_sum(const std::vector<double>& of, const char* why) {
  if (sum(of) > 0) return;
  std::vector<std::size_t> all(of.size());
  std::iota(all.begin(), all.end(), 0);
  throw KnapsackFailure(why, all);
}

}  // namespace

std::vector<bool> knapsack_knee(const Knapsack& knapsack) {
  refuse_zero_sum(knapsack.memory, "it divides by all candidates' bytes, and there are none");
  refuse_zero_sum(knapsack.runtime, "it divides by all candidates' run time, and there is none");
  const std::vector<double> limits = knapsack.by_linspace ? linspace_up_to(knapsack.limit) : limits_up_to(knapsack.limit);
  const KnapsackTable table(knapsack, std::max(knapsack.limit, *std::max_element(limits.begin(), limits.end())));
  std::vector<double> memory, runtime;
  for (const double limit : limits) {
    const std::vector<bool> saved = table.saved_within(limit);
    memory.push_back(share_where(knapsack.memory, saved, true));
    runtime.push_back(share_where(knapsack.runtime, saved, false));
  }
  if (!normalise(runtime) || !normalise(memory)) return table.saved_within(knapsack.limit);
  std::vector<double> distance;
  for (std::size_t i = 0; i < kLimits; ++i) {
    distance.push_back(std::sqrt(runtime[i] * runtime[i] + memory[i] * memory[i]));
  }
  const auto knee = std::min_element(distance.begin(), distance.end()) - distance.begin();
  return table.saved_within(limits[static_cast<std::size_t>(knee)]);
}

}  // namespace fxcut
