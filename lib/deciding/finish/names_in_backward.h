// Checkpoint names in the backward.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// The backward without calls of naming operators, whose users use the named value instead. Names matter only for the
// decision; recomputing them would only copy.
Graph drop_names(Graph backward, const std::vector<std::string>& naming_operators);

}  // namespace fxcut
