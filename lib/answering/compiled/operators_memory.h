// The memory of a step if each operator is a call of its own, to compare with its compiled code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiled/step_replay.h"

namespace fxcut {

// For each step of that file: imports its joint graph from the log, `text`, and partitions it with the saved values of the
// code. If that is impossible, the reason is added to the step's notes.
void add_operators(std::vector<StepMemory>& steps, const std::string& file, std::string_view text);

}  // namespace fxcut
