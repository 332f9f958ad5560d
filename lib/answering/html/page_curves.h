// The memory of a decision over its step, for the page: the operators', and that of the code that inductor generates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/int128.h"
#include "html/page_order.h"
#include "inductor/predict_memory.h"
#include "memory/memory_profile.h"
#include "report/memory_kinds.h"

namespace fxcut {

// Memory of the step, parameters and other inputs apart.
struct PageAllocation {
  std::size_t node = 0;  // that computes it, or the placeholder that it belongs to
  std::int64_t size_bytes = 0;
  MemoryKind kind = MemoryKind::Temporary;
  std::size_t first_step = 0;
  std::optional<std::size_t> last_step;  // that uses it; empty if the caller keeps it
};

// Steps that run one after another in the forward, the backward or the optimizer.
struct PagePhase {
  std::string_view name;
  std::size_t first_step = 0;
};

// The allocations of a step add up to its memory.
struct PageCurve {
  std::string_view name;           // whose memory it is
  Int128 peak_bytes = 0;
  std::size_t peak_step = 0;
  std::vector<std::size_t> steps;  // nodes, in the order in which they run; of a kernel its last
  std::size_t forward_steps = 0;   // the number of the first, which are the forward's
  std::vector<PagePhase> phases;   // in the order in which they run
  std::vector<PageAllocation> allocations;
};

// In the order of allocation.
PageCurve operators_curve(const MemoryProfile& memory, const PageOrder& order);

// A value that is saved has one allocation on both sides. nullopt if the code's memory is not known buffer by buffer
// (report/code_memory.h).
std::optional<PageCurve> code_curve(const PredictedMemory& memory, const GraphPair& graphs, const PageOrder& order);

}  // namespace fxcut
