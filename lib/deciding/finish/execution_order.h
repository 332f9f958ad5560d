// The order of the backward, and the places of getitems.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "graph/graph.h"

namespace fxcut {

// The backward's nodes from the first that uses a gradient on, each recomputed value just before its first use, as the
// autograd engine would run them (PyTorch's reordering_to_mimic_autograd_engine): a value recomputed early is in memory
// for long. Unchanged if no node uses a gradient. Among earlier calls without users PyTorch keeps only copy_; calls named in
// `effects` are kept as well.
Graph order_like_autograd(Graph backward, const std::set<std::string>& effects = {}, bool keeps_copies = true);

// The first node that uses a gradient, from which on order_like_autograd changes the order; nullopt: it does not.
std::optional<NodeId> first_use_of_tangent(const Graph& backward);

// The graph with each getitem moved to just after its tuple, so that unused items are freed early (PyTorch's
// raise_getitems). Throws Failure (NoPartition) if a getitem's key is a node, which PyTorch refuses, too.
Graph raise_getitems(Graph graph);

}  // namespace fxcut
