// The memory of a rank while it runs its part of a schedule.
//
// At an action the memory has: the parameters of all the rank's stages, and optimizer states; the parameter gradients of each
// stage whose backward has run once, to which later microbatches add theirs; what each other forward has saved for a backward to
// come; buffers that receive for later actions (schedule/receive_buffers.h); and what the action itself takes. The parts of an
// overlap run at once, so they are summed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "schedule/schedule.h"

namespace fxcut {

// Bytes of a stage. A microbatch's include its inputs from the stage before, held from its forward to its backward.
struct StageBytes {
  std::int64_t parameters = 0;       // buffers and constants, too
  std::int64_t gradients = 0;        // of parameters
  std::int64_t optimizer = 0;        // states, always in memory
  std::int64_t held = 0;             // of a microbatch, between forward and backward
  std::int64_t forward = 0;          // the most while its forward runs
  std::int64_t backward = 0;         // the most while its backward runs, including what it holds and its own gradients
  std::int64_t input_backward = 0;   // the same for the gradients of inputs, where the backward is split
  std::int64_t held_for_weights = 0; // between the two parts
  std::int64_t weight_backward = 0;
};

struct RankMemory {
  std::vector<std::int64_t> bytes;  // by action: the most while it runs
  std::vector<std::int64_t> after;  // by action: what stays until the rank's next one, without buffers
  std::size_t peak_at = 0;          // the first action with the most
  std::int64_t parameters = 0;      // part of these, always in memory
  std::int64_t optimizer = 0;       // the same
  std::int64_t buffers_at_peak = 0;
  std::int64_t held_at_peak = 0;    // saved for backwards other than the action's

  std::int64_t peak() const { return bytes.empty() ? parameters + optimizer : bytes[peak_at]; }
};

// The memory of `rank`. `stages`: by stage, including other ranks'. `schedule` has no mistakes (find_mistakes).
// `buffers`: by action, or empty.
RankMemory rank_memory(const Schedule& schedule, std::size_t rank, const std::vector<StageBytes>& stages,
                       const std::vector<std::int64_t>& buffers = {});

}  // namespace fxcut
