// What it costs to run a node once more, for decisions that weigh recomputing against memory. Costs are whole numbers,
// so that sums and comparisons are exact: each estimator has a unit of its own that is small enough.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "graph/wide.h"
#include "settings/settings.h"

namespace fxcut {

struct RecomputeCost {
  std::string_view estimator;   // its name
  std::string_view shown_unit;  // in which people read it: "FLOP", "ms" or "calls"
  double per_shown_unit;        // how much cost is one of these
  std::string_view meaning;
  // The cost of a call; nothing where it cannot be told.
  std::optional<Wide> (*of)(const Graph& graph, const Node& call, const Settings& settings, Release release);
};

// All estimators, the default one first:
//   flops     floating point operations as PyTorch's FLOP counter counts them, at least 1 a call
//   roofline  run time by the device's peak rate and memory bandwidth (cost/runtime.h)
//   profile   meta.runtime_ms of the graph
//   testing   1 a call
const std::vector<RecomputeCost>& recompute_costs();

// The estimator of that name, or null.
const RecomputeCost* find_recompute_cost(std::string_view estimator);

// The cost of each of `nodes`, of those that are no calls 0. Throws Failure (NoPartition) naming the nodes whose cost
// cannot be told.
std::vector<Wide> cost_of_nodes(const RecomputeCost& estimator, const Graph& graph, const std::vector<NodeId>& nodes,
                                const Settings& settings, Release release);

}  // namespace fxcut
