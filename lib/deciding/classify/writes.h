// The operands that a call writes to.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

bool writes(const Node& node);

// The inputs that a writing call writes to, each once: those that its operator's schema marks, if their positions are
// known, else all.
std::vector<NodeId> written_inputs(const Node& call);

}  // namespace fxcut
