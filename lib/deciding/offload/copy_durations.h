// How long a copy between device and host takes.
#pragma once

#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// Milliseconds, at activation_offload_cpu_gpu_bw: of the value that the call copies.
double copy_ms(const Graph& graph, const Node& copy, const Settings& settings);

}  // namespace fxcut
