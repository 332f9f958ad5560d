// The optimum within a limit of bytes, as the cheapest path through the states of the decision.
//
// A path to a state has bytes and a run cost. It is left out if another one to that state has no more of either, or if every way
// to go on is too dear (way_bounds.h): the shortest path within a limit, by labels (Joksch, "The shortest route problem
// with constraints", J. Math. Anal. Appl. 1966; Aneja, Aggarwal and Nair, "Shortest chain subject to side constraints",
// Networks 1983). Many layers of the same kind have many choices and few sums of bytes, so that few paths are left, where
// branch and bound tries the layers in turn.
//
// Too dear is first what costs little more than the bound, then more: the first path that is found is an optimum.
#pragma once

#include "frontier/fixings.h"
#include "frontier/incumbent.h"
#include "frontier/recompute_problem.h"

namespace fxcut {

// `bound`: no choice within the fixings and the limit costs less. Offers the best choice to the incumbent, which has one already,
// if it is better. Returns a bound that is at least as high; it is the incumbent's cost unless that takes too much work.
Wide search_paths(const RecomputeProblem& problem, const Fixings& fixings, Wide bound, Incumbent& incumbent);

}  // namespace fxcut
