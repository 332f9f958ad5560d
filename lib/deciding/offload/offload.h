// Offloading of saved values to host memory.
#pragma once

#include <vector>

#include "graph/naming.h"
#include "offload/candidates.h"
#include "settings/settings.h"

namespace fxcut {

// The two graphs with the candidates that are not refused copied to the host after their last use in the forward, and
// back before their first use in the backward (PyTorch's enable_activation_offloading). With
// activation_offload_separate_stream copies run in parallel to the computation; then activation_offload_sink_wait moves
// the waits to the forward's end, and activation_reload_prefetch starts copies back early enough. Sets the candidates'
// host_name, and creates the new nodes' names with `names`. Throws Failure (NoPartition) if PyTorch's pass would fail:
// an output of the forward is a constant, a value is not a tensor or not used, or names clash.
GraphPair offload(GraphPair graphs, std::vector<OffloadCandidate>& candidates, NamespacePair& names,
                  const Settings& settings, Release release);

}  // namespace fxcut
