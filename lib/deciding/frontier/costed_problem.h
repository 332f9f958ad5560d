// The recompute problem in the costs of an estimator.
#pragma once

#include "cost/estimators.h"
#include "frontier/recompute_problem.h"

namespace fxcut {

// What running a node once more costs is what `estimator` says, asked only of what may run again; what the report's
// totals do not count (flops_by_node) costs nothing here either. Items and storages are the same whatever the
// estimator. Throws Failure (NoPartition) naming the nodes whose cost it cannot tell, and as recompute_problem does.
RecomputeProblem costed_problem(const Analysis& analysis, const StorageBytes& storages, const Estimator& estimator);

}  // namespace fxcut
