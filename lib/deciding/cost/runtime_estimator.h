// How long it takes to run a node again, as the knapsack of a memory budget is told: PyTorch's
// activation_memory_budget_runtime_estimator. Only the ratios matter, so each estimator has a unit of its own.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cost/analysis.h"

namespace fxcut {

// The run time of the node; nothing where it cannot be told.
using RuntimeEstimator = std::optional<double> (*)(const Analysis&, NodeId);

struct RuntimeEstimatorRow {
  std::string_view name;  // the value of the setting activation_memory_budget_runtime_estimator
  RuntimeEstimator estimate;
};

// All estimators, the default one first: PyTorch's, and roofline, the run time on the device of the settings
// (cost/runtime.h).
const std::vector<RuntimeEstimatorRow>& runtime_estimators();

// The run times of the nodes by the estimator of the settings. Throws Failure (NoPartition) naming the nodes where
// `profile` finds no meta.runtime_ms: PyTorch runs them on the device then, which is not here.
std::vector<double> estimate_runtimes(const Analysis& analysis, const std::vector<NodeId>& nodes);

}  // namespace fxcut
