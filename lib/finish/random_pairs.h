// The random operators of a partition that run on both sides.
#pragma once

#include <cstddef>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// One random operator, in the forward and again in the backward.
struct RandomPair {
  NodeId forward;
  NodeId backward;
  bool graph_safe = false;  // runs under a generator that CUDA graphs can capture
};

// Whether the operator draws random numbers from a generator that can be seeded.
bool is_random(const Node& node);

// Those that are tagged to be recomputed and stand in both graphs, in execution order. On CUDA they are graph-safe, if
// `allow_graph_safe` is set and all of them are on one device: several cannot be captured in one CUDA graph.
std::vector<RandomPair> find_random_pairs(const Graph& forward, const Graph& backward, bool allow_graph_safe);

}  // namespace fxcut
