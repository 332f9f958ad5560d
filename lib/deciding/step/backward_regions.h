// The position of the backward in a whole step: forward, loss, backward and perhaps the optimizer in one graph.
#pragma once

#include <cstddef>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// Consecutive nodes of the backward, from `begin` up to `end`.
struct BackwardRegion {
  std::size_t begin = 0, end = 0;
  bool needs_recomputed = false;  // a node has an input that is tagged to be recomputed
};

// For each node, whether it is one of the backward (PyTorch's _is_backward_node): the user's annotations, custom.phase of
// "backward", if there are any; otherwise autograd_backward, which Dynamo sets when it traces torch.autograd.grad.
std::vector<bool> find_backward(const Graph& step);

// Whether the user has annotated a backward (PyTorch's _has_user_phase_annotation).
bool has_annotated_backward(const Graph& step);

// Marks a node of the forward that runs in the backward, by the user's annotation as well if the backward `is_annotated`.
void mark_as_backward(Node& node, bool is_annotated);

// The maximal runs of nodes for which `is_backward` is true, in order (PyTorch's _collect_backward_regions).
std::vector<BackwardRegion> backward_regions(const Graph& step, const std::vector<bool>& is_backward);

}  // namespace fxcut
