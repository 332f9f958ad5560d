// Operators that nobody has described.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// The operator overloads that neither the table nor the graph's `ops` knows, each once, in execution order, subgraphs
// last. They are taken to mutate nothing, to draw no random numbers and to return one value.
std::vector<std::string> unknown_operators(const JointGraph& joint);

}  // namespace fxcut
