// The memory that the two graphs of a partition take, as a report has it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "verify/crossing.h"

namespace fxcut {

// The figures under "memory", each with its place in the report. `joint` has no regions that are calls.
std::vector<std::pair<std::string, ReportJson>> memory_figures(const JointGraph& joint, const GraphPair& sides,
                                                               const std::vector<CrossingValue>& crossings);

}  // namespace fxcut
