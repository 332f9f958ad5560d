// The arguments that wrapped mutations clone.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// The arguments whose values a call of higher_order.auto_functionalized or
// higher_order.triton_kernel_wrapper_functional clones, in order, so that the wrapped operator writes to the clones;
// empty for other calls. They live as long as the call.
std::vector<const Argument*> cloned_arguments(const Node& call);

}  // namespace fxcut
