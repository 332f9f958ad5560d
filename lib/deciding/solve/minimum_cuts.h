// All minimum cuts of a network.
#pragma once

#include <cstdint>
#include <vector>

#include "solve/flow_network.h"

namespace fxcut {

// A network with a maximum flow on it: the residual capacity of each edge.

// Each edge of the network as two, in both directions, sorted by the vertex that they leave.
struct Residual {
  explicit Residual(const FlowNetwork& network);

  std::size_t vertices() const { return begin.size() - 1; }

  std::vector<std::uint32_t> begin;    // by vertex, into the following
  std::vector<Vertex> to;
  std::vector<std::uint32_t> reverse;  // the same edge in the other direction
  std::vector<Int128> capacity;
  std::vector<Int128> left;  // residual capacity
};

// Computes a maximum flow from source to sink, and returns its value.
Int128 find_max_flow(const FlowNetwork& network, Residual& residual);

// For each vertex, whether it is reached from `start` over edges with residual capacity; backwards: whether it reaches
// `start`.
std::vector<bool> reached(const Residual& residual, Vertex start, bool backwards);

// Minimum cuts form a lattice: `sink_side` is the sink side of the smallest, and every other is the union of it and
// some of the `components`, each with all that it needs (Picard and Queyranne, "On the structure of all minimum cuts in
// a network and applications", Mathematical Programming Study 13, 1980). Components are ordered after those they need,
// otherwise by their first vertex: so every prefix is a minimum cut.
struct MinimumCuts {
  Int128 value = 0;
  std::vector<bool> sink_side;                    // by vertex
  std::vector<std::vector<Vertex>> components;    // ascending
  std::vector<std::vector<std::uint32_t>> needs;  // by component, positions of those it directly needs
};

// `network` has no infinite path.
MinimumCuts find_minimum_cuts(const FlowNetwork& network);

}  // namespace fxcut
