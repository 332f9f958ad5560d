// The infinite edges of a network, and what they lead to.
#pragma once

#include <cstdint>
#include <vector>

#include "solve/flow_network.h"

namespace fxcut {

enum class Along { Edges, AgainstEdges };

// By the vertex that they leave, or, against the edges, by the one that they enter.
struct InfiniteEdges {
  InfiniteEdges(const FlowNetwork& network, Along along);

  std::vector<std::uint32_t> begin;  // by vertex, into the following
  std::vector<Vertex> to;
};

// By vertex, whether a path of infinite edges leads to it from `start`, `start` itself included.
std::vector<bool> reachable_from(const InfiniteEdges& edges, Vertex start);

}  // namespace fxcut
