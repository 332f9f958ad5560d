// Calls of the forward that a whole step makes after its backward, such as `loss.detach()` after torch.autograd.grad.
#pragma once

#include <cstddef>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// For each node, whether it depends on a node of `is_backward`: by an input, or by memory that such a node, or one that depends
// on it, has written to.
std::vector<bool> find_dependent(const Graph& step, std::vector<bool> is_backward);

// For each node, whether it is a call from position `end` on that the forward can make as well. Such a call depends neither on
// the backward nor on a write from `end` on, writes nothing, draws no numbers, and is for an output of the step that takes no
// more memory than the forward's values that it is computed from; otherwise it is better made late. `dependent` as above; `taken`
// nodes do not count.
std::vector<bool> find_late_calls(const Graph& step, const std::vector<bool>& dependent, const std::vector<bool>& taken,
                                  std::size_t end);

// The nodes of a step whose phases are known, in the order in which they run: that of the step, except for late calls of the
// forward. Each comes before the first region of the backward after its inputs and the writes to them, so that they are not held
// for it.
std::vector<NodeId> order_with_late_calls(const Graph& step);

}  // namespace fxcut
