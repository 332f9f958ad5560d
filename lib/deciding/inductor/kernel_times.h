// How long the kernels take that inductor generates of a graph, one after the other.
//
// A fused kernel takes as long as the memory that it reads and writes, and a least time. What stays within it takes none, and
// what several of its parts read is read once: a reduction of long rows reads them once for each of its loops, but then from the
// cache. Drawing random numbers takes the device's time of an element beside that. A call of a library takes what
// cost/library_time.h says, a collective what cost/collective_time.h does; a call that was measured what the graph says
// (meta.runtime_ms). Not counted: other arithmetic of fused kernels, what one kernel leaves in the cache for the next, copies to
// the host and back, which run beside the rest.
#pragma once

#include <optional>
#include <vector>

#include "cost/device_profile.h"
#include "inductor/predict_code.h"

namespace fxcut {

struct StepTime {
  double ms = 0;
  std::optional<double> launch_ms = std::nullopt;  // of the CPU, for its kernels, unless they are launched as one (CUDA graphs)
};

// A kernel that runs, or an operator where kernels are not known.
struct TimedKernel {
  std::vector<NodeId> nodes;  // whose results it computes, in order, never none: those that it fuses, without views
  bool is_generated = false;  // by inductor; else a call of a library
  double ms = 0;
};

struct TimedKernels {
  const Graph* graph = nullptr;  // of which the nodes are: one of the pair, or of the code
  std::vector<TimedKernel> kernels = {};
};

struct TimedStep {
  TimedKernels forward, backward;
  bool of_operators = false;  // kernels are not known
};

// The time of a step. `code` is that of its two graphs; without it, and on a device whose kernels are not modelled
// (KernelTimes::multiprocessors), such as a CPU, the time is that of the graphs' operators (cost/fused_roofline.h).
StepTime step_time(const GraphPair& graphs, const std::optional<PredictedCode>& code, const DeviceProfile& device);

// What takes that time, kernel by kernel, in the order of their first parts; without what takes none. The graphs are those of the
// pair or of the code, which outlive it.
TimedStep timed_kernels(const GraphPair& graphs, const std::optional<PredictedCode>& code, const DeviceProfile& device);

}  // namespace fxcut
