// The memory that a training step uses, node by node, and its peak.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/int128.h"
#include "memory/bytes_in_use.h"
#include "memory/lifetimes.h"

namespace fxcut {

struct MemoryProfile {
  std::vector<Step> steps;          // the forward's, then the backward's; each side ends in its output
  std::vector<MemoryUse> curve;     // by step, without parameters and other inputs
  std::size_t peak_step = 0;        // of the largest `bytes`, the first of several
  std::int64_t static_bytes = 0;    // of parameters, buffers and constants
  std::int64_t input_bytes = 0;     // of the other inputs
  std::vector<Allocation> allocations;  // in the order of allocation
  std::vector<Allocation> at_peak;      // those at the peak, largest first, otherwise in the same order

  Int128 peak_bytes() const { return curve[peak_step].bytes; }
};

MemoryProfile profile_memory(Lifetimes lifetimes);

}  // namespace fxcut
