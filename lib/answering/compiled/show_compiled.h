// The memory of compiled steps, for people and for programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiled/step_replay.h"

namespace fxcut {

struct CompiledMemory {
  std::string producer;  // "torch 2.13.0"; empty where the files do not say
  std::vector<StepMemory> steps;
  std::vector<std::string> notes;  // on the files as a whole
};

// A table of each step: its peaks, what is alive at the highest, what was not understood.
std::string compiled_memory_text(const CompiledMemory& memory);

// schemas/memory.schema.json.
std::string compiled_memory_json(const CompiledMemory& memory);

// A trace that ui.perfetto.dev and chrome://tracing open: a counter of the bytes and a slice for each block, the statements'
// numbers as microseconds.
std::string compiled_memory_perfetto(const CompiledMemory& memory);

// A memory snapshot as torch.cuda.memory._dump_snapshot writes it, which pytorch.org/memory_viz and torch.cuda._memory_viz
// read: a pickle. Each step is a segment and a trace of allocations and frees, whose frames are the code's lines.
std::string compiled_memory_snapshot(const CompiledMemory& memory);

}  // namespace fxcut
