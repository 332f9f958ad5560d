// The forward's side of offloading.
#pragma once

#include <string_view>
#include <vector>

#include "classify/host_copies.h"
#include "graph/naming.h"
#include "offload/candidates.h"
#include "settings/settings.h"

namespace fxcut {

// Copies each candidate that is not refused to the host behind its last use, through views of it as well, and saves
// the copy in its place (PyTorch's offload_activation_fw, and _async in the dialect ao). Fills in host_name. Throws
// Failure (NoPartition) where an output is a constant, or a value no tensor.
Graph copy_to_host(Graph forward, std::vector<OffloadCandidate>& candidates, Namespace& names, OffloadDialect dialect);

// Throws Failure (NoPartition) where an output's name has kOnHost in it without being that of a copy: PyTorch finds the
// backward's input of a copy by the copy's name, so another such name misleads it. It fails, or hands the backward
// another value.
void require_plain_names(const Graph& forward, const std::vector<OffloadCandidate>& candidates);

// Waits for copies to the host just before the forward returns, so that it computes meanwhile; the values stay on the
// device until then (PyTorch's activation_offload_sink_wait_async).
Graph sink_waits(Graph forward);

}  // namespace fxcut
