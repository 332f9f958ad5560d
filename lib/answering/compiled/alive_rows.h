// The contents of a peak of compiled memory: its blocks by kind, and as rows of alike blocks.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "compiled/step_replay.h"
#include "graph/int128.h"

namespace fxcut {

enum class AliveKind {
  Saved,      // by the forward for the backward: another decision may recompute it
  Result,     // of the side at the peak, which outlives the step: gradients, outputs
  Tangent,
  Workspace,  // that inductor allocates for a kernel
  Temporary,  // everything else, until its last use
};

// The kind of a block in use at the step's peak.
AliveKind kind_of(const StepMemory& step, const MemoryBlock& block);

struct KindAtPeak {
  AliveKind kind = AliveKind::Temporary;
  Int128 bytes = 0;
  std::size_t blocks = 0;
};

// The kinds that occur among the blocks at the step's peak, in the order of AliveKind.
std::vector<KindAtPeak> kinds_at_peak(const StepMemory& step);

// Blocks at the step's peak that are shown alike except for their names: of equal bytes, shape, kernel and source line. Positions
// in the step's blocks; the rows with the most bytes first.
std::vector<std::vector<std::size_t>> alike_at_peak(const StepMemory& step);

}  // namespace fxcut
