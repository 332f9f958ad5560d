// The optimum within a limit of bytes, as the cheapest path through the states of the decision (decision_states.h).
//
// Many layers of the same kind have many choices and few sums of bytes: where branch and bound tries the layers in turn, few
// paths to a state are better than the others there (labels.h). Of these, paths are left out that no way to go on can
// make cheap enough. First by Lagrangian bounds (way_bounds.h), for paths from the end to each state with sizes in
// whole units: small storages are free there, and little is lost. Then these bound the paths that are exact.
//
// Cheap enough is first what costs little more than the bound, then more: the first path that is found is an optimum.
#pragma once

#include "frontier/fixings.h"
#include "frontier/incumbent.h"
#include "frontier/recompute_problem.h"

namespace fxcut {

// `bound`: no choice within the fixings and the limit costs less. Offers the best choice to the incumbent, which has one already,
// if it is better. Returns a bound that is at least as high; it is the incumbent's cost unless that takes too much work.
Int128 search_paths(const RecomputeProblem& problem, const Fixings& fixings, Int128 bound, Incumbent& incumbent);

}  // namespace fxcut
