// A schedule from PyTorch's CSV, as _dump_csv writes and _load_csv reads it: a line a rank, its actions between commas, with or
// without communication. Empty cells are idle slots and left out.
#pragma once

#include <string>
#include <string_view>

#include "schedule/schedule.h"

namespace fxcut {

// The most stages or microbatches of a schedule, against typing errors: more than any run has.
inline constexpr int kMaxStages = 65536;

// `file` is for messages. Throws Failure (BadInput) that lists each mistake with its line and column: what is no action, and
// otherwise those of find_mistakes().
Schedule read_schedule(std::string_view text, const std::string& file);

}  // namespace fxcut
