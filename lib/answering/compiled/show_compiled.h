// The memory of compiled steps, for humans and for programs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiled/planned_blocks.h"
#include "compiled/step_replay.h"

namespace fxcut {

struct CompiledMemory {
  std::string producer;  // "torch 2.13.0"; empty if unknown
  std::vector<StepMemory> steps;
  std::vector<std::string> notes;  // on whole files
  std::optional<RecordedMemory> recorded = {};  // of a snapshot, beside them
};

// A table of each step: its peaks, the blocks in use at the highest, and the statements that were not understood.
std::string compiled_memory_text(const CompiledMemory& memory);

// schemas/memory.schema.json.
std::string compiled_memory_json(const CompiledMemory& memory);

// A trace for ui.perfetto.dev and chrome://tracing: a counter of the bytes and a slice for each block, with statement numbers
// as microseconds.
std::string compiled_memory_perfetto(const CompiledMemory& memory);

// A memory snapshot (a pickle) as torch.cuda.memory._dump_snapshot writes it, for pytorch.org/memory_viz and
// torch.cuda._memory_viz. Each step is a segment and a trace of allocations and frees, whose frames are the code's lines.
std::string compiled_memory_snapshot(const CompiledMemory& memory);

}  // namespace fxcut
