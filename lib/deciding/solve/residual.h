// A network with a maximum flow on it: the residual capacity of each edge.
#pragma once

#include <cstdint>
#include <vector>

#include "solve/flow_network.h"

namespace fxcut {

// Each edge of the network as two, in both directions, sorted by the vertex that they leave.
struct Residual {
  explicit Residual(const FlowNetwork& network);

  std::size_t vertices() const { return begin.size() - 1; }

  std::vector<std::uint32_t> begin;    // by vertex, into the following
  std::vector<Vertex> to;
  std::vector<std::uint32_t> reverse;  // the same edge in the other direction
  std::vector<Wide> capacity;
  std::vector<Wide> left;              // residual capacity
};

// Computes a maximum flow from source to sink, and returns its value.
Wide find_max_flow(const FlowNetwork& network, Residual& residual);

// By vertex, whether it is reached from `start` over edges with residual capacity; backwards: whether it reaches
// `start`.
std::vector<bool> reached(const Residual& residual, Vertex start, bool backwards);

}  // namespace fxcut
