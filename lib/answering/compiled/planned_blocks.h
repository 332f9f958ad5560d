// Which blocks at a recorded peak the generated code planned, and which not.
//
// A block whose stack has a line of the code that allocates one of that size was planned there. One that comes from another line
// of it, or has another size, is what a call in that line takes for itself: a workspace. Where stacks tell nothing of the code
// (none were recorded, or its files have other names), the sizes alone of blocks that were allocated while it recorded are
// compared, as the allocator rounds them: each planned block is taken once, those in use at the plan's own peak first. What is
// left was allocated elsewhere.
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
  std::size_t step = 0, block = 0;  // of the plan, where it was planned
  std::size_t line = 0;             // of the step's file, where a line of the code is known
  std::optional<std::size_t> frame; // that tells where it was allocated: the code's, else the innermost of a Python file

  bool is_planned() const { return kind == RecordedKind::PlannedByLine || kind == RecordedKind::PlannedBySize; }
};

struct RecordedMemory {
  std::string file;
  RecordedPeak peak;
  std::vector<MatchedBlock> matches;  // by block
};

RecordedMemory match_with_plan(std::string file, RecordedPeak peak, std::span<const StepMemory> steps);

// A table of what was planned and what not.
std::string recorded_memory_text(const RecordedMemory& memory, std::span<const StepMemory> steps);

}  // namespace fxcut
