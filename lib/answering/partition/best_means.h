// The best of the decisions with and without the means that settings leave to the solver: copies to the host, saving in fewer
// bits, recomputing again.
//
// A search among more decisions may end with a worse one. That with copies counts waits that the graphs lengthen, or takes the
// code's peak for the operators'; a storage that may be saved in a form has no views that are saved; and for forms gradients of
// ReLUs are computed from booleans (normalise/threshold_backward.h), which take memory of their own. So the searches without one
// or all of the means are made as well, at once.
#pragma once

#include <functional>
#include <vector>

#include "diagnostic/attempt.h"
#include "frontier/work_budget.h"
#include "graph/graph.h"
#include "partition/partition.h"
#include "settings/settings.h"

namespace fxcut {

// The settings, first, and the same without one or all of the means that they leave to the solver within a limit of the saved
// bytes or of the peak.
std::vector<Settings> with_and_without_means(const JointGraph& joint, const Settings& settings);

// The settings with the means that were used for the partition of that report, which was decided under them.
Settings with_means_of(Settings settings, const Report& report);

// The partition under settings, whose search asks `halt`. Called by several threads at once.
using DecideUnder = std::function<Attempt<Partition>(const Settings&, const HaltRequested& halt)>;

// The best by compared_cost() (search_facts.h) of the partitions under those settings, or the one that takes least memory if that
// is what the limit asks for. Its bounds hold for all, and its report's settings have the means of the first of `all`, but forms
// only where these were decided on. The failure under the first if there is none.
Attempt<Partition> best_by_means(const std::vector<Settings>& all, const Graph& graph, const HaltRequested& halt,
                                 const DecideUnder& decide);

}  // namespace fxcut
