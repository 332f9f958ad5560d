// Hooks between the passes of partition.cpp.
#pragma once

#include <functional>
#include <string_view>

#include "graph/graph.h"

namespace fxcut {

// Called with the name of each pass after it: the passes have no clock.
using PassDone = std::function<void(std::string_view pass)>;
inline const PassDone kNoProgress = [](std::string_view) {};

// Throws InternalError if the graph after the pass breaks an invariant of graph/invariants.h: in debug builds, and in programs
// that link tests/checked_passes.cpp, such as all tests and the program of the golden runs. Otherwise it does nothing.
void check_pass(std::string_view pass, const Graph& graph);

}  // namespace fxcut
