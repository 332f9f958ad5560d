// The memory of calls: existing memory that they return, write to, or clone before a wrapped mutation.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// Whether the call waits for its first argument and returns it, even if a collective's trace has two storages.
bool waits_for_argument(const Node& call);

// Whether the call computes nothing: a view, an item of a tuple, or a wait. A call that writes to an input computes.
bool computes_nothing(const Graph& graph, const Node& call);

// The arguments whose values a call of higher_order.auto_functionalized or
// higher_order.triton_kernel_wrapper_functional clones, in order, so that the wrapped operator writes to the clones;
// empty for other calls. They live as long as the call.
std::vector<const Argument*> cloned_arguments(const Node& call);

bool writes(const Node& node);

// The inputs that a writing call writes to, each once: those that its operator's schema marks, if their positions are
// known, else all.
std::vector<NodeId> written_inputs(const Node& call);

}  // namespace fxcut
