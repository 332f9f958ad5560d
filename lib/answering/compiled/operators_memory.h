// The memory of a step where each operator is a call of its own, beside that of its compiled code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiled/step_replay.h"

namespace fxcut {

// Of each step of that file: its joint graph is taken out of the log, and partitioned with the saved values that the
// code has. `text` is the log. Where that cannot be done the step says why not among its notes.
void add_operators(std::vector<StepMemory>& steps, const std::string& file, std::string_view text);

}  // namespace fxcut
