// The backward's side of offloading.
#pragma once

#include <vector>

#include "graph/naming.h"
#include "offload/candidates.h"

namespace fxcut {

// Has the backward take the copies on the host that `forward` returns, and copies each back to its device before its first
// use (PyTorch's reload_activation_bw, and _async `on_stream`). Throws Failure (NoPartition) where it does not use one and
// the copy would be waited for.
Graph copy_from_host(Graph backward, const Graph& forward, const std::vector<OffloadCandidate>& candidates,
                     Namespace& names, bool on_stream);

}  // namespace fxcut
