// The range of integers that an operator returns, whatever it is given.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// The narrowest of uint8, int16 and int32 that holds all elements of the node's value; null if none does, or they are not known.
// Known are positions that max_pool2d_with_indices, argmax, argmin, max, min, topk, sort and kthvalue return, in dimensions whose
// sizes are numbers, and views and copies of these. Of max_pool2d the positions are in a plane.
const Dtype* narrowest_integer(const Graph& graph, NodeId id);

}  // namespace fxcut
