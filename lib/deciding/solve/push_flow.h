// A maximum flow by pushing, for networks with long paths.
//
// Boykov and Kolmogorov add a path's flow along the whole path, so where n values are recomputed from each other, and each costs
// something, n paths of up to n edges take time in the square of n. Here each vertex hands on all that has arrived at it at once,
// those farthest from the sink first (Goldberg and Tarjan, "A New Approach to the Maximum-Flow Problem", JACM 1988): flows that
// join travel on as one. Heights are distances to the sink over edges with residual capacity; they are computed anew
// whenever raising them one by one has taken as long as that. What cannot reach the sink returns to the source
// in the same way.
#pragma once

#include "solve/minimum_cuts.h"

namespace fxcut {

// Computes a maximum flow, from none, and returns its value.
Int128 push_max_flow(const FlowNetwork& network, Residual& residual);

}  // namespace fxcut
