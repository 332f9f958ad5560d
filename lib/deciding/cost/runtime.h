// The run time of a node.
#pragma once

#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// Whether PyTorch treats the node as computation: its FLOP counter has a formula for the operator (is_compute_node of
// torch._inductor.fx_passes.overlap_scheduling).
bool is_compute_node(const Node& node, Release release);

// The run time in milliseconds of a compute node, 0 of any other: meta.runtime_ms if the graph has it, else runtime_ms
// below (PyTorch runs the node on its device instead).
double compute_ms(const Graph& graph, const Node& node, const Settings& settings, Release release);

// The run time in milliseconds of any node by the roofline model: the longer of its FLOPs at the peak rate of the
// settings' device, and the bytes of its inputs and results at its memory bandwidth. 0 for nodes that compute nothing
// (classify/views.h) or have no value.
double runtime_ms(const Graph& graph, const Node& node, const Settings& settings, Release release);

}  // namespace fxcut
