// What runs between the stages of pipeline.cpp.
#pragma once

#include <functional>
#include <string_view>

#include "graph/graph.h"

namespace fxcut {

// Told of each stage when it is done: the stages have no clock.
using StageDone = std::function<void(std::string_view stage)>;
inline const StageDone kNoProgress = [](std::string_view) {};

// Throws InternalError where the graph that the stage has made breaks an invariant of graph/invariants.h: in debug builds,
// and in what links tests/checked_stages.cpp, as all tests and the program of the golden runs do. Else it does nothing.
void check_stage(std::string_view stage, const Graph& graph);

}  // namespace fxcut
