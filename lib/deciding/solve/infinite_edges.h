// The infinite edges of a network, and the smaller network in which every vertex that they join to a terminal is merged with
// it.
//
// No minimum cut contains an infinite edge. So the vertices that the source reaches over them are on its side of every
// minimum cut, and those that reach the sink over them are on the sink's; only the others are to be decided. An edge
// that leaves the sink's side or enters the source's is in no cut, and one from the source's side to the sink's is in
// all. The rest has the same minimum cuts as the whole, and in training steps few of its vertices: gradients are merged
// with the sink, and values that must not be recomputed with the source.
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

// For each vertex, whether a path of infinite edges leads to it from `start`; true for `start` itself.
std::vector<bool> reachable_from(const InfiniteEdges& edges, Vertex start);

struct Contraction {
  FlowNetwork network;        // its edges in the order of the whole's, then those of the terminals
  Int128 always_cut = 0;      // the capacity of every minimum cut of the whole that is not in `network`
  std::vector<Vertex> place;  // by vertex of the whole, its vertex in `network`
};

// `whole` has no infinite path.
Contraction contract(const FlowNetwork& whole);

}  // namespace fxcut
