// What a graph consists of, for people.
#pragma once

#include <string>

#include "graph/graph.h"
#include "read/read_graph.h"

namespace fxcut {

// Counts and bytes: inputs and outputs, operators, modules, tags and symbols, the larger ones first. Memory counts a
// storage once, at the node that makes it; sizes by their hints.
std::string graph_summary(const JointGraph& joint, GraphForm form);

}  // namespace fxcut
