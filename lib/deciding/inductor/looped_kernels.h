// The values that a Triton reduction kernel keeps in memory although no other kernel reads them (torch/_inductor/codegen/simd.py,
// generate_node_schedule; codegen/common.py, CSEProxy.load and remove_kernel_local_buffers; choices.py,
// should_use_persistent_reduction).
//
// Rows that fit into registers are reduced at once: the kernel is persistent, and only results that others read leave it. Longer
// rows are processed in chunks, by one loop after the other: a value per element that one loop computes and a later one reads
// is written to memory in between.
#pragma once

#include <vector>

#include "inductor/kernels.h"

namespace fxcut {

// The buffers that one loop of a fused kernel writes and another reads, `parts` being in order; none if the kernel has one loop.
std::vector<BufferId> kept_between_loops(const Kernels& program, const std::vector<KernelId>& parts);

}  // namespace fxcut
