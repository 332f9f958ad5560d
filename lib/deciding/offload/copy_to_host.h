// The forward's side of offloading.
#pragma once

#include <string_view>
#include <vector>

#include "classify/host_copies.h"
#include "graph/naming.h"
#include "offload/candidates.h"
#include "settings/settings.h"

namespace fxcut {

// Copies each candidate that is not refused to the host after its last use, including uses of its views, and saves the
// copy in its place (PyTorch's offload_activation_fw, and _async in the dialect ao). Sets host_name. Throws Failure
// (NoPartition) if an output is a constant, or a value not a tensor.
Graph copy_to_host(Graph forward, std::vector<OffloadCandidate>& candidates, Namespace& names, OffloadDialect dialect);

// Throws Failure (NoPartition) if an output's name contains kOnHost without being that of a copy: PyTorch finds the
// backward's input for a copy by the copy's name, so another such name makes it fail or use another value.
void require_plain_names(const Graph& forward, const std::vector<OffloadCandidate>& candidates);

// Moves the waits for copies to the host to the forward's end, so that it computes meanwhile; the values stay on the
// device until then (PyTorch's activation_offload_sink_wait_async).
Graph sink_waits(Graph forward);

}  // namespace fxcut
