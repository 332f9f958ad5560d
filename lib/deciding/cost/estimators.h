// Prices of recomputation: PyTorch's activation_memory_budget_runtime_estimator, and roofline, which is ours and the default
// where our solver decides.
//
// The knapsacks of memory budgets use run times, like PyTorch's: real numbers, of which only the ratios matter.
// Decisions that compare recomputation with memory add costs: whole numbers in a small unit, so that sums and
// comparisons are exact.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "cost/analysis.h"
#include "cost/device_profile.h"
#include "graph/graph.h"
#include "graph/int128.h"
#include "settings/settings.h"

namespace fxcut {

// Whether PyTorch treats the node as computation: its FLOP counter has a formula for the operator (is_compute_node of
// torch._inductor.fx_passes.overlap_scheduling).
bool is_compute_node(const Node& node, Release release);

// The run time in milliseconds of a compute node in isolation, 0 for any other: meta.runtime_ms if the graph has it, otherwise
// its FLOPs at the device's peak rate or the bytes of its inputs and results at the memory's, whichever takes longer (PyTorch
// runs the node on its device instead).
double compute_ms(const Graph& graph, const Node& node, const DeviceProfile& device, Release release);

// Rounded to picoseconds, the unit of costs, and capped at thousands of years.
Int128 picoseconds(double ms);

struct Estimator {
  std::string_view name;        // the value of the setting activation_memory_budget_runtime_estimator
  std::string_view shown_unit;  // the human-readable unit of costs: "FLOP", "ms" or "calls"
  double per_shown_unit;        // cost units per shown unit
  std::string_view meaning;
  // For a graph, which must outlive the returned function: the run time of a node, in the estimator's own unit, and the cost of a
  // call; nullopt if unknown.
  std::function<std::optional<double>(NodeId)> (*runtime)(const Graph& graph, const Settings& settings, Release release);
  std::function<std::optional<Int128>(NodeId)> (*cost)(const Graph& graph, const Settings& settings, Release release);
};

// All estimators, the default one first:
//   flops     floating point operations by PyTorch's FLOP counter, at least 1 a call
//   testing   1 a call
//   roofline  run time of fused kernels on the settings' device (cost/fused_roofline.h), at least 1 ps of what computes
//   profile   meta.runtime_ms of the graph
const std::vector<Estimator>& estimators();

// The estimator of the settings for the knapsacks of PyTorch's solvers: flops unless the settings say otherwise, as in PyTorch.
const Estimator& estimator_of_budget(const Settings& settings);

// The same for the frontier solver: roofline unless the settings say otherwise.
const Estimator& estimator_of_frontier(const Settings& settings);

// The run times of the nodes by the estimator of the settings. Throws Failure (NoPartition) naming the nodes without
// meta.runtime_ms if the estimator is `profile`; PyTorch would run them on the device.
std::vector<double> estimate_runtimes(const Analysis& analysis, const std::vector<NodeId>& nodes);

// The cost of each of `nodes`; 0 if it is not a call. Throws Failure (NoPartition) naming the nodes of unknown cost.
std::vector<Int128> cost_of_nodes(const Estimator& estimator, const Graph& graph, const std::vector<NodeId>& nodes,
                                  const Settings& settings, Release release);

}  // namespace fxcut
