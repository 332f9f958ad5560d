// A schedule from PyTorch's CSV, as _dump_csv writes and _load_csv reads it: one line per rank, actions separated by commas, with
// or without communication. Empty cells are idle slots and left out.
#pragma once

#include <string>
#include <string_view>

#include "schedule/schedule.h"

namespace fxcut {

// The most stages or microbatches of a schedule, to catch typing errors: more than any run has.
inline constexpr int kMaxStages = 65536;

// `file` is for messages. Throws Failure (BadInput) that lists each mistake with its line and column: cells that are not actions,
// or otherwise those of find_mistakes().
Schedule read_schedule(std::string_view text, const std::string& file);

}  // namespace fxcut
