// The memory that inductor's wrapper takes while kernels run in an order (torch/_inductor/codegen/wrapper.py, memory_plan_reuse;
// scheduler.py, decide_inplace_update).
//
// A kernel's result takes the memory of an input that it is the last to read, if it reads it where it writes; so does what a part
// of a fused kernel makes. What is read within that kernel only has no memory then, unless what is read elsewhere takes it over.
// Other buffers take the memory of a freed one of the same size, dtype and alignment, which is held in between, if that stays
// below the estimated peak. Inputs in one storage free it together; the results of one call that are freed before the tuple in
// which it returned them are in memory until then.
// Kernels that follow each other are one call: it allocates everything before it, and frees after it.
#pragma once

#include <cstdint>
#include <vector>

#include "inductor/fuse.h"
#include "inductor/kernels.h"
#include "inductor/order_kernels.h"

namespace fxcut {

// The most that is in use while a library's call runs, with what it takes for itself.
struct PeakWithWorkspace {
  std::int64_t peak_bytes = 0;
  std::int64_t workspace_bytes = 0;  // part of it
  NodeId node{0};
};

struct WrapperMemory {
  std::int64_t peak_bytes = 0;
  std::int64_t bytes_after = 0;  // when all kernels have run
  NodeId peak_node{0};           // of the kernel at the peak
  PeakWithWorkspace with_workspaces = {};
};

// For each buffer: `freeable` as for order_kernels(); `donated`: inputs whose memory may be taken; `counted`: whether freeing it
// lowers what is held: it was part of `start_bytes`, which are held before the first kernel, or is allocated here.
WrapperMemory plan_buffers(const Kernels& program, const std::vector<FusedKernel>& kernels, const KernelOrder& order,
                           const std::vector<bool>& freeable, const std::vector<bool>& donated, const std::vector<bool>& counted,
                           std::int64_t start_bytes, const InductorRules& rules);

}  // namespace fxcut
