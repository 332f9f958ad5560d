// How long a node runs.
#pragma once

#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// Whether PyTorch takes the node for computation: its FLOP counter has a formula for the operator (is_compute_node of
// torch._inductor.fx_passes.overlap_scheduling).
bool is_compute_node(const Node& node, Release release);

// The run time in milliseconds of a compute node, and 0 of every other: meta.runtime_ms where the graph has it, else
// runtime_ms below (PyTorch runs the node on its device instead).
double compute_ms(const Graph& graph, const Node& node, const Settings& settings, Release release);

// The run time in milliseconds of any node by the roofline model: the longer of its FLOPs at the device's peak rate,
// and the bytes of its inputs and results at its memory bandwidth. The device is that of the settings. What computes
// nothing (classify/views.h) takes no time, nor does what is not described.
double runtime_ms(const Graph& graph, const Node& node, const Settings& settings, Release release);

}  // namespace fxcut
