// A network in which all that infinite edges tie to a terminal is one with it.
//
// No cut takes an infinite edge. So what the source reaches over them is on its side of every minimum cut, and whatever
// reaches the sink over them is on the sink's; between the two stands what there is to decide. An edge that leaves the
// sink's side or enters the source's counts in no cut, and one from the source's side to the sink's counts in all.
// What remains has the same minimum cuts as the whole, and in training steps few of its vertices: gradients are tied to
// the sink, and values that must not be recomputed to the source.
#pragma once

#include <vector>

#include "solve/flow_network.h"

namespace fxcut {

struct Contraction {
  FlowNetwork network;        // its edges keep the order of the whole's; those from and to the terminals come last
  Wide always_cut = 0;        // what every minimum cut of the whole takes beyond one of `network`
  std::vector<Vertex> place;  // by vertex of the whole, the one that stands for it
};

// Of a network without an infinite path.
Contraction contract(const FlowNetwork& whole);

}  // namespace fxcut
