// Offloading of saved values to host memory.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "graph/naming.h"
#include "offload/candidates.h"
#include "settings/settings.h"

namespace fxcut {

// The forward with the wait for each copy to the host (ao.wait_tensor of an ao.offload) after the node during which the copy
// ends, so that its value is freed there; copies that end later are waited for at the forward's end. Copies take the time of
// their bytes at activation_offload_cpu_gpu_bw (offload/copy_times.h), nodes that of the frontier solver's estimator.
Graph wait_when_copied(Graph forward, const Settings& settings, Release release);

// The backward with each ao.reload moved to the node during which its copy has to start to be back in time, by the same times
// (latest_reloads of offload/copy_times.h): earlier, its memory would only be idle. Throws Failure (NoPartition) if a copy would
// start before its own source is computed.
Graph reload_just_in_time(Graph backward, const Settings& settings, Release release);

// The backward with each ao.reload moved up until the compute nodes between it and its wait take as long as the copy,
// at activation_offload_cpu_gpu_bw (PyTorch's activation_reload_prefetch_async). Copies share one channel: during one,
// the next, which is needed earlier, waits. Copies without enough computation start after the inputs. Compute nodes are
// those with counted FLOPs; their run time is meta.runtime_ms, or an estimate (cost/estimators.h). Throws Failure
// (NoPartition) if a copy would start before its own source is computed.
Graph prefetch_reloads(Graph backward, const Settings& settings, Release release);

// The two graphs with the candidates that are not refused copied to the host after their last use in the forward, and
// back before their first use in the backward (PyTorch's enable_activation_offloading). With
// activation_offload_separate_stream copies run in parallel to the computation; then activation_offload_sink_wait moves
// the waits to the forward's end, and activation_reload_prefetch starts copies back early enough. Sets the candidates'
// host_name, and creates the new nodes' names with `names`. Throws Failure (NoPartition) if PyTorch's pass would fail:
// an output of the forward is a constant, a value is not a tensor or not used, or names clash.
GraphPair offload(GraphPair graphs, std::vector<OffloadCandidate>& candidates, NamespacePair& names,
                  const Settings& settings, Release release);

}  // namespace fxcut
