// Which of its operands a call writes to.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

bool writes(const Node& node);

// The inputs that a call which writes writes to, each once: those that its operator's schema marks, where it is known
// where they stand, else all.
std::vector<NodeId> written_inputs(const Node& call);

}  // namespace fxcut
