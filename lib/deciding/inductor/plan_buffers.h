// The memory that inductor's wrapper takes, line by line (wrapper_lines.h): its peak, and which buffers have memory when.
//
// Inputs that share a storage free it together; items of a tuple stay in memory until the tuple is freed.
#pragma once

#include <cstdint>
#include <vector>

#include "inductor/fuse.h"
#include "inductor/kernels.h"
#include "inductor/order_kernels.h"

namespace fxcut {

// The peak during a library call, including its workspace.
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
// lowers the bytes held, because it is part of `start_bytes`, held before the first kernel, or is allocated here.
WrapperMemory plan_buffers(const Kernels& program, const std::vector<FusedKernel>& kernels, const KernelOrder& order,
                           const std::vector<bool>& freeable, const std::vector<bool>& donated, const std::vector<bool>& counted,
                           std::int64_t start_bytes, const InductorRules& rules);

// Memory that a buffer has, unchanged, from one moment to another.
struct BufferSpan {
  BufferId buffer = 0;
  std::int64_t bytes = 0;          // with those of others that are freed with it
  std::size_t first = 0, last = 0;  // moments
};

// The buffers that have memory over time. A moment is the time around a kernel's call at which the wrapper holds most; the first
// includes the time before, and code without kernels has one moment.
struct BufferHistory {
  std::vector<NodeId> moments;    // the kernels' last nodes
  std::size_t peak = 0;           // the moment
  // By buffer, then by time; those of a moment add up to what is held then, as far as the program has it.
  std::vector<BufferSpan> spans;
};

// The history of the memory that plan_buffers() adds up, of the same arguments.
BufferHistory buffer_history(const Kernels& program, const std::vector<FusedKernel>& kernels, const KernelOrder& order,
                             const std::vector<bool>& freeable, const std::vector<bool>& donated,
                             const std::vector<bool>& counted, const InductorRules& rules);

}  // namespace fxcut
