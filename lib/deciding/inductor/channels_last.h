// The nodes that inductor stores with channels last (torch/_inductor/graph.py, decide_layout_opt and
// find_nodes_prefer_channels_last).
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// For each node, whether it is a convolution, leads to one, or follows one up to the last convolution. Empty if the graph has
// none, like most backward graphs: a convolution's backward alone does not count. Linear in the graph.
std::vector<bool> prefer_channels_last(const Graph& graph, const Users& users);

// Whether the convolutions of a graph on a GPU take channels-last inputs (GraphLowering.decide_layout_opt): not if one of them
// would be slower, nor if all are small.
bool suits_channels_last(const Graph& graph, bool gradients_count);

}  // namespace fxcut
