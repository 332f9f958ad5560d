// The start of copies back to the device.
#pragma once

#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// The backward with each ao.reload moved up until the compute nodes between it and its wait take as long as the copy,
// at activation_offload_cpu_gpu_bw (PyTorch's activation_reload_prefetch_async). Copies share one channel: during one,
// the next, which is needed earlier, waits. Copies without enough computation start after the inputs. Compute nodes are
// those with counted FLOPs; their run time is meta.runtime_ms, or an estimate (cost/runtime.h). Throws Failure
// (NoPartition) if a copy would start before its own source is computed.
Graph prefetch_reloads(Graph backward, const Settings& settings, Release release);

}  // namespace fxcut
