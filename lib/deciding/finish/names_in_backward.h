// Checkpoint names that have done their work.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// The backward without calls of naming operators: who takes one takes what it names. They say what is to be kept, which
// is decided; running them again would only copy.
Graph drop_names(Graph backward, const std::vector<std::string>& naming_operators);

}  // namespace fxcut
