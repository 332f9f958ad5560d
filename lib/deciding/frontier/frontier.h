// The trade-off of a graph between memory and recomputation.
#pragma once

#include <vector>

#include "cost/analysis.h"
#include "cost/estimators.h"
#include "cost/storage.h"
#include "frontier/frontier_points.h"

namespace fxcut {

// The points of the frontier, fewest bytes first: every corner of the lower convex hull, and choices along its edges.
// None if no choice is feasible. `storages`: of the graph as read. Costs are `estimator`'s, in its shown unit. Throws Failure
// (NoPartition) naming the nodes without an estimate.
std::vector<FrontierPoint> frontier(const Analysis& analysis, const StorageBytes& storages, const Estimator& estimator);

}  // namespace fxcut
