// The order of the backward.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// The backward's nodes from the first that takes a gradient on, each recomputed value just before its first use, as the
// autograd engine would run them (PyTorch's reordering_to_mimic_autograd_engine): what is recomputed early lives long.
// Unchanged where no node takes a gradient.
Graph order_like_autograd(Graph backward);

// Whether a node takes a gradient, so that order_like_autograd makes a new order.
bool takes_tangents(const Graph& backward);

}  // namespace fxcut
