// fxcut pareto: the trade-off between memory and recomputing.
#pragma once

#include <functional>
#include <iosfwd>
#include <vector>

#include "cli/command.h"
#include "cost/recompute_cost.h"
#include "report/pareto.h"

namespace fxcut {

// Traces the trade-off of a graph, fewest bytes first; costs are the estimator's, in its shown unit.
using TraceFrontier = std::function<std::vector<ParetoPoint>(const JointGraph&, const Settings&, const RecomputeCost&)>;

ExitStatus show_pareto(const CommandArguments& arguments, const TraceFrontier& trace, std::ostream& out,
                       std::ostream& err);

}  // namespace fxcut
