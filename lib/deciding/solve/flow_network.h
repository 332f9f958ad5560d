// A flow network as plain data, and its minimum cuts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/wide.h"
#include "settings/settings.h"

namespace fxcut {

using Vertex = std::uint32_t;

struct FlowEdge {
  FlowEdge(Vertex leaves, Vertex enters, Wide can_carry, bool is_infinite = false)
      : from(leaves), to(enters), infinite(is_infinite), capacity(can_carry) {}

  Vertex from;
  Vertex to;
  bool infinite;
  Wide capacity;  // meaningless where infinite; last, so that an edge takes 32 bytes and not 48
};

// No two edges have the same ends, and no edge leaves the sink or enters the source.
struct FlowNetwork {
  std::size_t vertices = 0;
  Vertex source = 0;
  Vertex sink = 0;
  std::vector<FlowEdge> edges;
};

struct MinCut {
  Wide value = 0;                  // the sum of the capacities that are cut
  std::vector<bool> on_sink_side;  // by vertex
};

// A path of infinite edges from source to sink, as the vertices on it; empty where there is none. Where there is one,
// every cut is infinite.
std::vector<Vertex> infinite_path(const FlowNetwork& network);

// A minimum cut of a network without an infinite path. Of all minimum cuts the one whose sink side is smallest (nearest
// the backward) or largest (nearest the forward); each is unique, whatever the algorithm that finds the flow.
// Boykov and Kolmogorov, "An Experimental Comparison of Min-Cut/Max-Flow Algorithms", PAMI 2004.
MinCut solve_min_cut(const FlowNetwork& network, CutSide side);

}  // namespace fxcut
