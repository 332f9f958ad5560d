// The random operators of a partition that run on both sides.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// One random operator, in the forward and again in the backward.
struct RandomPair {
  NodeId forward;
  NodeId backward;
  bool graph_safe = false;  // runs under a generator that CUDA graphs can capture
  std::int64_t state_bytes = kCpuStateBytes;  // of the generator's state, a uint8 tensor on the CPU

  // What torch.get_rng_state() and torch.cuda.get_rng_state() return in PyTorch: a Mersenne Twister's, and a
  // Philox generator's seed and offset.
  static constexpr std::int64_t kCpuStateBytes = 5056;
  static constexpr std::int64_t kCudaStateBytes = 16;
};

// Those that are tagged to be recomputed and stand in both graphs, in execution order. On CUDA they are graph-safe, if
// `allow_graph_safe` is set and all of them are on one device: several cannot be captured in one CUDA graph.
std::vector<RandomPair> find_random_pairs(const Graph& forward, const Graph& backward, bool allow_graph_safe);

}  // namespace fxcut
