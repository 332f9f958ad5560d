// The work of inductor's wrapper while kernels run in a given order: it allocates buffers, calls kernels, and frees or reuses
// memory (torch/_inductor/codegen/wrapper.py, memory_plan_reuse; scheduler.py, decide_inplace_update).
//
// A kernel's result takes the memory of an input if the kernel is its last reader and reads it where it writes; so does the
// result of a part of a fused kernel. Buffers read only within that kernel then have no memory, unless a buffer that is read
// elsewhere takes it over. Other buffers take the memory of a freed one of the same size, dtype and alignment, which is held in
// between if that stays below the estimated peak. Consecutive kernels are one call, which allocates everything before it and
// frees after it.
#pragma once

#include <cstdint>
#include <vector>

#include "inductor/fuse.h"
#include "inductor/kernels.h"
#include "inductor/order_kernels.h"

namespace fxcut {

struct WrapperLine {
  enum class Kind : std::uint8_t { Allocate, Call, Free, TakeOver };
  Kind kind = Kind::Call;
  BufferId buffer = 0;
  std::uint32_t turn = 0;  // the kernel's position in the order
  bool reuses = false;     // Allocate: another's memory; Free: another takes it over
  BufferId from = 0;       // TakeOver, and Allocate that reuses: the buffer whose memory it was
};

// The arguments are those of plan_buffers().
std::vector<WrapperLine> wrapper_lines(const Kernels& program, const std::vector<FusedKernel>& kernels, const KernelOrder& order,
                                       const std::vector<bool>& freeable, const std::vector<bool>& donated,
                                       const InductorRules& rules);

}  // namespace fxcut
