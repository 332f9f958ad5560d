// When to start copying a value back.
#pragma once

#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// The backward with each ao.reload moved up to where the compute nodes between it and its wait take as long as the copy
// does, at activation_offload_cpu_gpu_bw (PyTorch's activation_reload_prefetch_async). Copies share one channel: while
// one is under way the next, which is needed earlier, waits. What finds too little to compute starts behind the inputs.
// Compute nodes are those whose FLOPs are counted; their run time is meta.runtime_ms, or an estimate (cost/runtime.h).
// Throws Failure (NoPartition) where a copy would start before its own source is computed.
Graph prefetch_reloads(Graph backward, const Settings& settings, Release release);

}  // namespace fxcut
