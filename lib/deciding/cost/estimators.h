// What running a node once more takes: PyTorch's activation_memory_budget_runtime_estimator, and roofline, which is ours.
//
// The knapsacks of memory budgets are told run times, as PyTorch's are: real numbers, of which only the ratios matter.
// Decisions that weigh recomputing against memory add up costs: whole numbers in a unit that is small enough, so that sums
// and comparisons are exact.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cost/analysis.h"
#include "graph/graph.h"
#include "graph/wide.h"
#include "settings/settings.h"

namespace fxcut {

struct Estimator {
  std::string_view name;        // the value of the setting activation_memory_budget_runtime_estimator
  std::string_view shown_unit;  // in which people read costs: "FLOP", "ms" or "calls"
  double per_shown_unit;        // how much cost is one of these
  std::string_view meaning;
  // The run time of a node, in a unit of its own, and the cost of a call; nothing where it cannot be told.
  std::optional<double> (*runtime)(const Graph& graph, const Node& node, const Settings& settings, Release release);
  std::optional<Wide> (*cost)(const Graph& graph, const Node& call, const Settings& settings, Release release);
};

// All estimators, the default one first:
//   flops     floating point operations as PyTorch's FLOP counter counts them, at least 1 a call
//   testing   1 a call
//   roofline  run time by the device's peak rate and memory bandwidth (cost/runtime.h)
//   profile   meta.runtime_ms of the graph
const std::vector<Estimator>& estimators();

// That of the settings.
const Estimator& estimator_of(const Settings& settings);

// The run times of the nodes by the estimator of the settings. Throws Failure (NoPartition) naming the nodes where
// `profile` finds no meta.runtime_ms: PyTorch runs them on the device then, which is not here.
std::vector<double> estimate_runtimes(const Analysis& analysis, const std::vector<NodeId>& nodes);

// The cost of each of `nodes`, of those that are no calls 0. Throws Failure (NoPartition) naming the nodes whose cost
// cannot be told.
std::vector<Wide> cost_of_nodes(const Estimator& estimator, const Graph& graph, const std::vector<NodeId>& nodes,
                                const Settings& settings, Release release);

}  // namespace fxcut
