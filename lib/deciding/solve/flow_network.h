// A flow network as plain data, and its minimum cuts.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/int128.h"
#include "settings/settings.h"

namespace fxcut {

using Vertex = std::uint32_t;

struct FlowEdge {
  FlowEdge(Vertex leaves, Vertex enters, Int128 can_carry, bool is_infinite = false)
      : from(leaves), to(enters), infinite(is_infinite), capacity(can_carry) {}

  Vertex from;
  Vertex to;
  bool infinite;
  Int128 capacity;  // meaningless if infinite; last, so that an edge has 32 bytes and not 48
};

// No two edges have the same ends, and no edge leaves the sink or enters the source.
struct FlowNetwork {
  std::size_t vertices = 0;
  Vertex source = 0;
  Vertex sink = 0;
  std::vector<FlowEdge> edges;
};

struct MinCut {
  Int128 value = 0;                // the sum of the cut capacities
  std::vector<bool> on_sink_side;  // by vertex
};

// The vertices on a path of infinite edges from source to sink; empty if there is none. If there is one, every cut is
// infinite.
std::vector<Vertex> infinite_path(const FlowNetwork& network);

// A minimum cut of a network without an infinite path: the one with the smallest sink side (nearest the backward) or the largest
// (nearest the forward); each is unique, whatever algorithm finds the flow. Boykov and Kolmogorov, "An Experimental Comparison of
// Min-Cut/Max-Flow Algorithms", PAMI 2004.
MinCut solve_min_cut(const FlowNetwork& network, CutSide side);

}  // namespace fxcut
