// The range of integers that an operator returns, whatever it is given.
#pragma once

#include <cstdint>
#include <optional>

#include "graph/graph.h"

namespace fxcut {

// All elements of the node's value are from 0 to this, if it is known: positions that max_pool2d_with_indices, argmax, argmin,
// max, min, topk, sort and kthvalue return, in dimensions whose sizes are numbers, and views and copies of these. Of max_pool2d
// the positions are in a plane.
std::optional<std::int64_t> greatest_element(const Graph& graph, NodeId id);

// The narrowest of uint8, int16 and int32 that holds 0 to `greatest`; null if none does.
const Dtype* narrowest_integer(std::int64_t greatest);

}  // namespace fxcut
