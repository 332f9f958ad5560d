// For how long a step waits for its copies between device and host, by the two graphs as they are written.
//
// Nodes run one after another. Each direction is a channel, whose copies run in the order in which they are started, while the
// device computes: in the dialect ao until the graph waits for them, where it says so. In xla, whose compiler moves copies, each
// starts as early as its channel lets it; the forward waits at its end. A copy on the device's own stream is waited for at once.
#pragma once

#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// Milliseconds, at activation_offload_cpu_gpu_bw. A node takes what the frontier solver's estimator says of it in the joint
// graph, by which the solver chose; a node that is not in it takes no time.
double waiting_for_copies_ms(const GraphPair& graphs, const Graph& joint, const Settings& settings, Release release);

}  // namespace fxcut
