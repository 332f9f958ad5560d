// Operators without a description.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// The operator overloads that are neither in the table nor in the graph's `ops`, each once, in execution order,
// subgraphs last. They are treated as pure, not random, and returning one value.
std::vector<std::string> unknown_operators(const JointGraph& joint);

}  // namespace fxcut
