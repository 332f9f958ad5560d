// The trade-off of a graph between memory and recomputation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cost/analysis.h"
#include "cost/estimators.h"
#include "cost/size.h"
#include "frontier/evaluate.h"
#include "graph/int128.h"

namespace fxcut {

// The cost of one choice of saved values.
struct FrontierPoint {
  std::int64_t saved_bytes = 0;  // totals.saved_bytes_not_static of the report
  Int128 recompute_flops = 0;    // totals.recomputed_flops
  double recompute_cost = 0;     // by the runtime estimator, in its unit
  bool corner = false;           // of the lower convex hull: the best choice at its price
  double price_per_byte = 0;     // in units of cost: the price at which the point is the best
  KeptStorages kept = {};        // of the recompute problem, whatever its costs
};

// Whether the hull is that of the estimator's prices, or, where kernels are priced (kernel_costs.h), of those: its points are
// faster, but no corners of what is shown.
enum class HullPrices { Operators, Kernels };

// The points of the frontier, fewest bytes first: every corner of the lower convex hull, and choices along its edges, evenly
// spread over them: at most `most_between`. None if no choice is feasible. `storages`: of the graph as read. Costs are
// `estimator`'s, in its shown unit. Throws Failure (NoPartition) naming the nodes without an estimate.
std::vector<FrontierPoint> frontier(const Analysis& analysis, const StorageBytes& storages, const Estimator& estimator,
                                    std::size_t most_between, HullPrices prices = HullPrices::Operators);

}  // namespace fxcut
