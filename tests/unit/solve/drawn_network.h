// Networks drawn by hand.
#pragma once

#include <utility>
#include <vector>

#include "solve/flow_network.h"

namespace fxcut {

inline constexpr Vertex kSource = 0, kSink = 1;

inline FlowNetwork network(std::size_t vertices, std::vector<FlowEdge> edges) {
  return {.vertices = vertices, .source = kSource, .sink = kSink, .edges = std::move(edges)};
}

inline FlowEdge infinite(Vertex from, Vertex to) { return {from, to, 0, true}; }

}  // namespace fxcut
