// The memory that the two graphs of a partition take, as a report has it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "verify/crossing.h"

namespace fxcut {

// The figures under "memory", each with its place in the report. `joint` has no checkpointed regions that are calls;
// the report's settings say whether equal calls of it were merged, whose storages are one then.
std::vector<std::pair<std::string, ReportJson>> memory_figures(const GraphPair& graphs,
                                                               const std::vector<CrossingValue>& crossings,
                                                               const JointGraph& joint, const ReportJson& report);

}  // namespace fxcut
