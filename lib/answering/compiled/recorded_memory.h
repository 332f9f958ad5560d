// The peak in a memory snapshot recorded by a user.
//
// torch.cuda.memory._dump_snapshot writes the allocator's segments at its end, and for each device the last events before
// (TraceEntry in torch/cuda/memory.py; record_trace in c10/cuda/CUDACachingAllocator.cpp). Blocks that no event allocates were
// there before: those that an event frees, and those that are in use at the end. From there the events are replayed: memory is
// in use from its `alloc` to its `free_requested`, with the bytes requested; reserved from `segment_alloc` or `segment_map` to
// `segment_free` or `segment_unmap`.
//
// The file is a pickle, which `fxcut-snapshot` of the Python package turns into JSON: its members `segments` and
// `device_traces` as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/int128.h"

namespace fxcut {

struct StackFrame {
  std::string file;
  std::size_t line = 0;
  std::string function;
};

struct RecordedBlock {
  std::uint64_t address = 0;
  std::int64_t size_bytes = 0;      // requested
  bool was_there_before = false;    // no event allocates it
  std::vector<StackFrame> frames;   // innermost first; empty if stacks were not recorded
};

struct RecordedPeak {
  std::size_t device = 0;             // with the highest peak
  Int128 bytes = 0;                   // in use, as requested
  Int128 reserved_bytes = 0;          // by the allocator at that time
  std::vector<RecordedBlock> blocks;  // in use, largest first, then by address
};

// The highest moment of the snapshot, the first of several. `file` is for messages. Throws Failure (BadInput) for text that is
// not such JSON, such as a pickle, and if nothing was in use.
RecordedPeak recorded_peak(std::string text, std::string_view file);

}  // namespace fxcut
