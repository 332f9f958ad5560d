// The memory of predicted code (inductor/predict_memory.h) by purpose, for the report and the page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "extract/plan_extraction.h"
#include "inductor/predict_memory.h"
#include "report/memory_kinds.h"

namespace fxcut {

// Memory of the code from one of its steps to another, inclusive.
struct CodeAllocation {
  Side side = Side::Forward;    // of the node
  NodeId node{0};               // that makes it, or the placeholder that it belongs to
  std::int64_t size_bytes = 0;
  MemoryKind kind = MemoryKind::Temporary;
  std::size_t first_step = 0, last_step = 0;  // in PredictedMemory::steps
};

// Those of a step add up to the bytes that the code holds then, and at the peak to its peak. By side, then in the order of the
// code. Empty if they do not add up: where saved values that the backward takes for several are one in the forward.
std::vector<CodeAllocation> code_allocations(const PredictedMemory& memory, const GraphPair& graphs);

}  // namespace fxcut
