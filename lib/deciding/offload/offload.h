// Saved values that spend the time between forward and backward on the host.
#pragma once

#include <vector>

#include "graph/naming.h"
#include "offload/candidates.h"
#include "settings/settings.h"

namespace fxcut {

// The two graphs with the candidates that are not refused copied to the host behind their last use in the forward, and
// back before their first use in the backward (PyTorch's enable_activation_offloading). With
// activation_offload_separate_stream the copies run beside the computation; then activation_offload_sink_wait has the
// forward wait at its end, and activation_reload_prefetch starts copies back early enough to be there in time. Fills in
// the candidates' host_name, and takes the new nodes' names from `names`. Throws Failure (NoPartition) where PyTorch's
// pass would fail: an output of the forward is a constant, a value is no tensor or not used, or names clash.
GraphPair offload(GraphPair graphs, std::vector<OffloadCandidate>& candidates, NamespacePair& names,
                  const Settings& settings, Release release);

}  // namespace fxcut
