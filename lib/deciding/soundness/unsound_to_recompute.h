// What must not run in the backward because of what is written to memory.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// By node, whether running the call after the whole forward would give another value: it reads memory that is written to
// later, or makes memory that is written to before the forward ends, which memory made again would lack. All false
// where nobody writes.
std::vector<bool> unsound_to_recompute(const JointGraph& joint);

}  // namespace fxcut
