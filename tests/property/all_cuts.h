// Every cut of a small network, one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solve/flow_network.h"

namespace fxcut {

// A set of inner vertices as bits: those on the sink's side. Source and sink are the last two vertices.
using SinkSide = std::uint32_t;

struct AllCuts {
  std::optional<Int128> value;    // of a minimum cut; nullopt if all cuts are infinite
  std::vector<SinkSide> minimum;  // every minimum cut
};

inline std::optional<Int128> value_of(const FlowNetwork& network, SinkSide side) {
  const auto on_sink_side = [&](Vertex v) {
    return v == network.sink || (v != network.source && (side >> v & 1) != 0);
  };
  Int128 value = 0;
  for (const FlowEdge& edge : network.edges) {
    if (on_sink_side(edge.from) || !on_sink_side(edge.to)) continue;
    if (edge.infinite) return std::nullopt;
    value += edge.capacity;
  }
  return value;
}

inline AllCuts find_all_cuts(const FlowNetwork& network) {
  AllCuts all;
  const SinkSide sides = SinkSide{1} << (network.vertices - 2);
  for (SinkSide side = 0; side < sides; ++side) {
    const auto value = value_of(network, side);
    if (!value || (all.value && *value > *all.value)) continue;
    if (value != all.value) all.minimum.clear();
    all.value = value;
    all.minimum.push_back(side);
  }
  return all;
}

}  // namespace fxcut
