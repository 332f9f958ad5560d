// Hooks between the stages of pipeline.cpp.
#pragma once

#include <functional>
#include <string_view>

#include "graph/graph.h"

namespace fxcut {

// Called with the name of each stage after it: the stages have no clock.
using StageDone = std::function<void(std::string_view stage)>;
inline const StageDone kNoProgress = [](std::string_view) {};

// Throws InternalError if the graph after the stage breaks an invariant of graph/invariants.h: in debug builds, and in programs
// that link tests/checked_stages.cpp, such as all tests and the program of the golden runs. Otherwise it does nothing.
void check_stage(std::string_view stage, const Graph& graph);

}  // namespace fxcut
