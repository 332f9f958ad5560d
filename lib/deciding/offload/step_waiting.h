// How long a step waits for its copies between device and host, by the two finished graphs.
//
// Nodes run one after another. Each direction is a channel, whose copies run in the order in which they are started, while the
// device computes: in the dialect ao until the graph's wait for them. In xla, whose compiler moves copies, each starts as early
// as its channel allows; the forward waits at its end. A copy on the device's own stream is waited for immediately.
#pragma once

#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// Milliseconds, at activation_offload_cpu_gpu_bw. A node takes its time by the frontier solver's estimator in the joint graph, on
// which the solver decided; a node that is not in it takes no time.
double waiting_for_copies_ms(const GraphPair& graphs, const Graph& joint, const Settings& settings, Release release);

}  // namespace fxcut
