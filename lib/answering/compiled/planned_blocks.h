// The blocks at a recorded peak that the generated code has planned.
//
// A block whose stack has a line of the code that allocates one of that size was planned there. One from another line of the
// code, or of another size, is a workspace of a call in that line. If stacks do not refer to the code (none were recorded, or its
// files have other names), only the sizes of blocks allocated during the recording are compared, rounded as by the allocator:
// each planned block is matched once, those in use at the plan's own peak first. The rest was allocated elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiled/recorded_memory.h"
#include "compiled/step_replay.h"

namespace fxcut {

enum class RecordedKind : std::uint8_t {
  PlannedByLine,
  PlannedBySize,
  Workspace,  // within a call of the code
  Optimizer,  // a frame is in torch/optim
  Before,     // allocated before the recording began
  Other,
};

// "planned, by its line", "planned, by its size", "workspace", "optimizer", "before the recording", "other".
std::string_view name_of(RecordedKind kind);

struct MatchedBlock {
  RecordedKind kind = RecordedKind::Other;
  std::size_t step = 0, block = 0;  // of the plan, if it was planned
  std::size_t line = 0;             // of the step's file, if a line of the code is known
  std::optional<std::size_t> frame; // where it was allocated: the code's, otherwise the innermost Python frame

  bool is_planned() const { return kind == RecordedKind::PlannedByLine || kind == RecordedKind::PlannedBySize; }
};

struct RecordedMemory {
  std::string file;
  RecordedPeak peak;
  std::vector<MatchedBlock> matches;  // by block
};

RecordedMemory match_with_plan(std::string file, RecordedPeak peak, std::span<const StepMemory> steps);

// A table of planned and other blocks.
std::string recorded_memory_text(const RecordedMemory& memory, std::span<const StepMemory> steps);

}  // namespace fxcut
