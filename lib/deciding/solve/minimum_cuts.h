// All minimum cuts of a network.
#pragma once

#include <vector>

#include "solve/flow_network.h"

namespace fxcut {

// Minimum cuts form a lattice: `sink_side` is the sink side of the smallest, and every other is the union of it and
// some of the `components`, each with all that it needs (Picard and Queyranne, "On the structure of all minimum cuts in
// a network and applications", Mathematical Programming Study 13, 1980). Components are ordered after those they need,
// otherwise by their first vertex: so every prefix is a minimum cut.
struct MinimumCuts {
  Wide value = 0;
  std::vector<bool> sink_side;                    // by vertex
  std::vector<std::vector<Vertex>> components;    // ascending
  std::vector<std::vector<std::uint32_t>> needs;  // by component, positions of those it directly needs
};

// `network` has no infinite path.
MinimumCuts find_minimum_cuts(const FlowNetwork& network);

}  // namespace fxcut
