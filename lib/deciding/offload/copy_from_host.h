// The backward's side of offloading.
#pragma once

#include <vector>

#include "graph/naming.h"
#include "offload/candidates.h"
#include "settings/settings.h"

namespace fxcut {

// Replaces inputs of the backward by the copies that `forward` returns, and copies each back to its device before its
// first use (PyTorch's reload_activation_bw, and _async in the dialect ao). Throws Failure (NoPartition) if one is not
// used and the copy would be waited for.
Graph copy_from_host(Graph backward, const Graph& forward, const std::vector<OffloadCandidate>& candidates,
                     Namespace& names, OffloadDialect dialect);

}  // namespace fxcut
