// What became of the values that have checkpoint names.
#pragma once

#include <vector>

#include "report/report.h"

namespace fxcut {

// One row an occurrence of a name, in the order of `names`. `joint` is the graph that was decided on; `report` holds
// the saved values already.
std::vector<NameUse> describe_names(const std::vector<NameAsRead>& names, const JointGraph& joint, const Report& report,
                                    const GraphPair& graphs);

}  // namespace fxcut
