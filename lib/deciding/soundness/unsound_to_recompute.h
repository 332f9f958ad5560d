// The calls that must not run in the backward because of writes to memory.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// By node, whether the call would compute another value after the whole forward: it reads memory that is written to later,
// or makes memory that is written to before the forward ends, and recomputed memory would lack that write.
std::vector<bool> unsound_to_recompute(const JointGraph& joint);

}  // namespace fxcut
