// Random flow networks.
#pragma once

#include <random>

#include "solve/flow_network.h"

namespace fxcut {

struct NetworkShape {
  Vertex inner = 8;          // vertices besides source and sink
  double density = 0.4;      // share of possible edges that exist
  double infinite = 0.1;     // of edges that are infinite
  int largest_capacity = 4;  // small, so that minimum cuts tie
};

// Source and sink are the last two vertices.
inline FlowNetwork random_network(std::mt19937& random, const NetworkShape& shape) {
  FlowNetwork network;
  network.vertices = shape.inner + 2;
  network.source = shape.inner;
  network.sink = shape.inner + 1;
  std::uniform_int_distribution<int> capacity(0, shape.largest_capacity);
  std::bernoulli_distribution is_there(shape.density), is_infinite(shape.infinite);
  for (Vertex from = 0; from < network.vertices; ++from) {
    for (Vertex to = 0; to < network.vertices; ++to) {
      if (from == to || from == network.sink || to == network.source || !is_there(random)) continue;
      network.edges.push_back({from, to, capacity(random), is_infinite(random)});
    }
  }
  return network;
}

}  // namespace fxcut
