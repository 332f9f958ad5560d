// What a kernel of Triton that reduces keeps in memory though nobody else reads it (torch/_inductor/codegen/simd.py,
// generate_node_schedule; codegen/common.py, CSEProxy.load and remove_kernel_local_buffers; choices.py,
// should_use_persistent_reduction).
//
// Rows that fit into registers are reduced at once: the kernel is persistent, and no part's result leaves it but what others
// read. Of longer rows it takes some elements at a time, in one loop after the other: a value for each element that one loop
// computes and another reads again is written to memory in between.
#pragma once

#include <vector>

#include "inductor/kernels.h"

namespace fxcut {

// Of kernels that are fused, `parts` in order, the buffers that one loop writes and another reads; none if the kernel has one
// loop.
std::vector<BufferId> kept_between_loops(const Kernels& program, const std::vector<KernelId>& parts);

}  // namespace fxcut
