// The random operators of a partition that run on both sides.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// One random operator in both graphs.
struct RandomPair {
  NodeId forward;
  NodeId backward;
  bool graph_safe = false;  // runs under a generator that CUDA graphs can capture
  std::int64_t state_bytes = kCpuStateBytes;  // of the generator's state, a uint8 tensor on the CPU

  // The sizes of torch.get_rng_state() (a Mersenne Twister's state) and of torch.cuda.get_rng_state() (a Philox
  // generator's seed and offset) in PyTorch.
  static constexpr std::int64_t kCpuStateBytes = 5056;
  static constexpr std::int64_t kCudaStateBytes = 16;
};

// Random operators in both graphs that are tagged to be recomputed, in execution order. On CUDA they are graph-safe if
// `allow_graph_safe` is set and all of them are on one device: several cannot be captured in one CUDA graph.
std::vector<RandomPair> find_random_pairs(const Graph& forward, const Graph& backward, bool allow_graph_safe);

}  // namespace fxcut
