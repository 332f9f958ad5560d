// The infinite edges of a network, and reachability over them.
#pragma once

#include <cstdint>
#include <vector>

#include "solve/flow_network.h"

namespace fxcut {

enum class EdgeDirection { Forward, Backward };

// Sorted by the vertex that they leave, or, for EdgeDirection::Backward, enter.
struct InfiniteEdges {
  InfiniteEdges(const FlowNetwork& network, EdgeDirection direction);

  std::vector<std::uint32_t> begin;  // by vertex, into the following
  std::vector<Vertex> to;
};

// By vertex, whether a path of infinite edges leads to it from `start`; true for `start` itself.
std::vector<bool> reachable_from(const InfiniteEdges& edges, Vertex start);

}  // namespace fxcut
