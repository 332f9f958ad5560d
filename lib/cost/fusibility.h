// Whether a compiler can run two operators as one kernel, so that the value between them never reaches memory.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// Whether `user`, which takes the value of `producer`, fuses with it (PyTorch's is_fusible in solve_min_cut): both are
// of the fusible class; or the user is a cat; or it is a wrapped mutation that clones just this value. What a Triton
// kernel returns fuses with nothing.
bool is_fusible(const Graph& graph, NodeId producer, NodeId user);

}  // namespace fxcut
