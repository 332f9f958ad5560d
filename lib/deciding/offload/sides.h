// The forward's and the backward's side of offloading.
#pragma once

#include <vector>

#include "classify/host_copies.h"
#include "graph/naming.h"
#include "offload/candidates.h"
#include "settings/settings.h"

namespace fxcut {

// Copies each candidate that is not refused to the host after its last use, including uses of its views, and saves the
// copy in its place (PyTorch's offload_activation_fw, and _async in the dialect ao); those with HostCopy::AfterLastWrite not
// before the last write to their memory. Sets host_name. Throws Failure (NoPartition) if an output is a constant, or a value not
// a tensor.
Graph copy_to_host(Graph forward, std::vector<OffloadCandidate>& candidates, Namespace& names, OffloadDialect dialect);

// Throws Failure (NoPartition) if an output's name contains kOnHost without being that of a copy: PyTorch finds the
// backward's input for a copy by the copy's name, so another such name makes it fail or use another value.
void require_plain_names(const Graph& forward, const std::vector<OffloadCandidate>& candidates);

// Moves the waits for copies to the host to the forward's end, so that it computes meanwhile; the values stay on the
// device until then (PyTorch's activation_offload_sink_wait_async).
Graph sink_waits(Graph forward);

// Replaces inputs of the backward by the copies that `forward` returns, and copies each back to its device before its
// first use (PyTorch's reload_activation_bw, and _async in the dialect ao). Throws Failure (NoPartition) if one is not
// used and the copy would be waited for.
Graph copy_from_host(Graph backward, const Graph& forward, const std::vector<OffloadCandidate>& candidates,
                     Namespace& names, OffloadDialect dialect, Release release);

}  // namespace fxcut
