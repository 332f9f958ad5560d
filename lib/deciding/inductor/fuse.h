// The kernels that inductor fuses (torch/_inductor/scheduler.py, Scheduler.fuse_nodes; codegen/cpp.py, CppScheduling;
// codegen/simd.py).
//
// Two kernels that share data become one, best pair first, until nothing more fuses: a producer and a reader that walks the
// buffer as the producer writes it, or two readers of the same memory that are not far apart. Loops are nested only when no other
// pair is possible; a pair that would make a cycle counts as possible but is never fused, and so prevents nesting. A buffer that
// is read only within its own kernel is never allocated.
#pragma once

#include <optional>
#include <vector>

#include "inductor/kernels.h"

namespace fxcut {

// A kernel as it runs: one or several fused, or a library's call.
struct FusedKernel {
  std::vector<KernelId> parts;      // in order
  std::vector<BufferId> reads;      // except what its parts write, and what vanishes
  std::vector<BufferId> writes;     // with what vanishes
  std::vector<BufferId> changes;
  std::optional<BufferId> workspace = std::nullopt;  // for mixed reductions (mixed_reductions.h)
  std::vector<BufferId> added_up = {};               // made from the workspace
  std::vector<KernelId> later = {};                  // parts that run when those are added up
  bool library = false;
  bool runs = true;                 // as of its only kernel
};

// In the order of their first parts. Sets Buffer::vanishes.
std::vector<FusedKernel> fuse(Kernels& program, const InductorRules& rules);

}  // namespace fxcut
