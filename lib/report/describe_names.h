// What became of the values that have checkpoint names.
#pragma once

#include <vector>

#include "report/report.h"

namespace fxcut {

// One row an occurrence of a name in the joint graph, in execution order. `report` holds the saved values already.
std::vector<NameUse> describe_names(const JointGraph& joint, const Report& report, const GraphPair& graphs);

}  // namespace fxcut
