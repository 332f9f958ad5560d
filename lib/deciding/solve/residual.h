// A network with a maximum flow on it: what is left of each edge.
#pragma once

#include <cstdint>
#include <vector>

#include "solve/flow_network.h"

namespace fxcut {

// Each edge of the network as two, there and back, sorted by the vertex that they leave.
struct Residual {
  explicit Residual(const FlowNetwork& network);

  std::size_t vertices() const { return begin.size() - 1; }

  std::vector<std::uint32_t> begin;    // by vertex, into the following
  std::vector<Vertex> to;
  std::vector<std::uint32_t> reverse;  // the same edge, the other way
  std::vector<Wide> capacity;
  std::vector<Wide> left;              // capacity that no flow uses
};

// Sends as much as can flow from source to sink, and returns how much that is.
Wide find_max_flow(const FlowNetwork& network, Residual& residual);

// What is reached from `start` over edges that are not used up; backwards: what reaches `start`.
std::vector<bool> reached(const Residual& residual, Vertex start, bool backwards);

}  // namespace fxcut
