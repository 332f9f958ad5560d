// Calls of the forward that a whole step makes behind its backward, such as `loss.detach()` behind torch.autograd.grad.
#pragma once

#include <cstddef>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// For each node, whether it depends on a node of `is_backward`: by an input, or by memory that such a node, or one that depends
// on it, has written to.
std::vector<bool> find_dependent(const Graph& step, std::vector<bool> is_backward);

// For each node, whether it is a call from position `end` on that the forward can make as well. It depends neither on the
// backward nor on a write from `end` on, writes nothing, draws no numbers, and is for an output of the step that takes no more
// memory than the values of the forward that it is computed from: else it is better made late. `dependent` as above; what is
// `taken` does not count.
std::vector<bool> find_late_calls(const Graph& step, const std::vector<bool>& dependent, const std::vector<bool>& taken,
                                  std::size_t end);

// The nodes of a step whose phases are known, in the order in which they run: that of the step, except for late calls of the
// forward. Each comes before the first region of the backward that follows what it uses and the writes to that, so that this is
// not held for it.
std::vector<NodeId> order_with_late_calls(const Graph& step);

}  // namespace fxcut
