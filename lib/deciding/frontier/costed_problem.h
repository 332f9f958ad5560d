// The recompute problem in the costs of an estimator.
#pragma once

#include "cost/estimators.h"
#include "frontier/recompute_problem.h"

namespace fxcut {

// Recomputing a node costs the estimate of `estimator`, computed only for nodes that may be recomputed; nodes that the
// report's totals do not count (flops_by_node) are free here too. Items and storages do not depend on the estimator.
// Throws Failure (NoPartition) naming the nodes without an estimate, and as recompute_problem does.
RecomputeProblem costed_problem(const Analysis& analysis, const StorageBytes& storages, const Estimator& estimator);

}  // namespace fxcut
