// The memory of calls: existing memory that they return, write to, or clone before a wrapped mutation.
#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// Whether the call waits for its first argument and returns it, even if a collective's trace has two storages.
bool waits_for_argument(const Node& call);

// The input that the call returns although the trace has a new storage for it, or none: a wait's first; `out` of a collective
// that writes there (all_gather_into_tensor_out, reduce_scatter_tensor_out), whose fake results PyTorch allocates anew. Other
// collectives in place, and wait_tensors, have the same storages in a trace as in a run.
std::optional<NodeId> find_returned_input(const Node& call);

// Whether the call computes nothing: a view, an item of a tuple, or a wait. A call that writes to an input computes.
bool computes_nothing(const Graph& graph, const Node& call);

// Whether the call copies the elements of its first input, in the same dtype or another.
bool copies_elements(const Node& call);

// The arguments whose values a call of higher_order.auto_functionalized or
// higher_order.triton_kernel_wrapper_functional clones, in order, so that the wrapped operator writes to the clones;
// empty for other calls. They live as long as the call.
std::vector<const Argument*> cloned_arguments(const Node& call);

bool writes(const Node& node);

// The inputs that a writing call writes to, each once: those that its operator's schema marks, if their positions are known,
// otherwise all.
std::vector<NodeId> written_inputs(const Node& call);

}  // namespace fxcut
