// Prices of recomputation: PyTorch's activation_memory_budget_runtime_estimator, and roofline, which is ours.
//
// The knapsacks of memory budgets use run times, like PyTorch's: real numbers, of which only the ratios matter.
// Decisions that compare recomputation with memory add costs: whole numbers in a small unit, so that sums and
// comparisons are exact.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cost/analysis.h"
#include "graph/graph.h"
#include "graph/wide.h"
#include "settings/settings.h"

namespace fxcut {

// Whether PyTorch treats the node as computation: its FLOP counter has a formula for the operator (is_compute_node of
// torch._inductor.fx_passes.overlap_scheduling).
bool is_compute_node(const Node& node, Release release);

// The run time in milliseconds of a compute node, 0 of any other: meta.runtime_ms if the graph has it, else runtime_ms
// below (PyTorch runs the node on its device instead).
double compute_ms(const Graph& graph, const Node& node, const Settings& settings, Release release);

// The run time in milliseconds of any node by the roofline model: the longer of its FLOPs at the peak rate of the
// settings' device, and the bytes of its inputs and results at its memory bandwidth. 0 for nodes that compute nothing
// (classify/views_and_writes.h) or have no value.
double runtime_ms(const Graph& graph, const Node& node, const Settings& settings, Release release);

struct Estimator {
  std::string_view name;        // the value of the setting activation_memory_budget_runtime_estimator
  std::string_view shown_unit;  // the human-readable unit of costs: "FLOP", "ms" or "calls"
  double per_shown_unit;        // cost units per shown unit
  std::string_view meaning;
  // The run time of a node, in a unit of its own, and the cost of a call; none if unknown.
  std::optional<double> (*runtime)(const Graph& graph, const Node& node, const Settings& settings, Release release);
  std::optional<Wide> (*cost)(const Graph& graph, const Node& call, const Settings& settings, Release release);
};

// All estimators, the default one first:
//   flops     floating point operations by PyTorch's FLOP counter, at least 1 a call
//   testing   1 a call
//   roofline  run time by the device's peak rate and memory bandwidth (runtime_ns)
//   profile   meta.runtime_ms of the graph
const std::vector<Estimator>& estimators();

// The estimator of the settings.
const Estimator& estimator_of(const Settings& settings);

// The run times of the nodes by the estimator of the settings. Throws Failure (NoPartition) naming the nodes without
// meta.runtime_ms if the estimator is `profile`; PyTorch would run them on the device.
std::vector<double> estimate_runtimes(const Analysis& analysis, const std::vector<NodeId>& nodes);

// The cost of each of `nodes`; 0 if it is not a call. Throws Failure (NoPartition) naming the nodes of unknown cost.
std::vector<Wide> cost_of_nodes(const Estimator& estimator, const Graph& graph, const std::vector<NodeId>& nodes,
                                const Settings& settings, Release release);

}  // namespace fxcut
