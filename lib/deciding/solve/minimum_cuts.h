// All minimum cuts of a network.
#pragma once

#include <vector>

#include "solve/flow_network.h"

namespace fxcut {

// Minimum cuts are a lattice: `sink_side` is the sink side of the smallest, and every other is that and some of the
// `components`, each with all that it needs (Picard and Queyranne, "On the structure of all minimum cuts in a network
// and applications", Mathematical Programming Study 13, 1980). The components come in an order in which each stands
// after what it needs, and else by their first vertex: so every prefix makes a minimum cut.
struct MinimumCuts {
  Wide value = 0;
  std::vector<bool> sink_side;                    // by vertex
  std::vector<std::vector<Vertex>> components;    // ascending
  std::vector<std::vector<std::uint32_t>> needs;  // by component, positions of those it needs at once
};

// Of a network without an infinite path.
MinimumCuts find_minimum_cuts(const FlowNetwork& network);

}  // namespace fxcut
