// The order in which inductor runs kernels, and its estimate of their memory (torch/_inductor/memory.py).
//
// Four orders are tried, and the one with the lowest estimated peak is taken, the first if several are equal: the graph's order
// by dependencies; least peak memory first; breadth first; depth first by size.
#pragma once

#include <cstdint>
#include <vector>

#include "inductor/fuse.h"
#include "inductor/kernels.h"

namespace fxcut {

struct KernelOrder {
  std::vector<std::uint32_t> order;        // positions among the fused kernels
  std::int64_t peak_bytes = 0;             // inductor's estimate
  std::vector<std::int64_t> bytes_at;      // the same by position in `order`, and after the last
};

// `kernels` are those of `program`, fused. `freeable`: by buffer, whether it is an input that may be freed after its last use.
KernelOrder order_kernels(const Kernels& program, const std::vector<FusedKernel>& kernels, const std::vector<bool>& freeable);

}  // namespace fxcut
