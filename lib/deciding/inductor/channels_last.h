// Which nodes inductor stores with channels last (torch/_inductor/graph.py, decide_layout_opt and
// find_nodes_prefer_channels_last).
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// For each node: convolutions and what leads to one; and what follows, up to the last convolution. Nothing if the graph has none,
// as most backward graphs: a convolution's backward alone does not count. Linear in the graph.
std::vector<bool> prefer_channels_last(const Graph& graph, const Users& users);

// Whether the convolutions of a graph on a GPU take their inputs with channels last (GraphLowering.decide_layout_opt):
// not beside one that would be slower so, nor where all are small.
bool suits_channels_last(const Graph& graph, bool gradients_count);

}  // namespace fxcut
