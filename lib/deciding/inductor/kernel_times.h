// How long the kernels that inductor generates for a graph take, one after the other.
//
// A fused kernel takes the time of its memory traffic, and at least a minimum time. Values that stay within it are free, and data
// that several of its parts read is read once: a reduction of long rows reads them once per loop, but then from the cache. Random
// numbers take the device's time per element in addition. A library call takes the time by cost/library_time.h, a collective by
// cost/collective_time.h, and a measured call the time in the graph (meta.runtime_ms). Not counted: other arithmetic of fused
// kernels, cache contents left by the kernel before, and copies to the host and back, which run concurrently.
#pragma once

#include <optional>
#include <vector>

#include "cost/device_profile.h"
#include "inductor/predict_code.h"

namespace fxcut {

struct StepTime {
  double ms = 0;
  std::optional<double> launch_ms = std::nullopt;  // CPU time to launch its kernels, without CUDA graphs
};

// A kernel that runs, or an operator if kernels are not modelled.
struct TimedKernel {
  std::vector<NodeId> nodes;  // the nodes it fuses, in order, without views; never empty
  bool is_generated = false;  // by inductor; false: a library call
  double ms = 0;
};

struct TimedKernels {
  const Graph* graph = nullptr;  // the nodes' graph: one of the pair, or of the code
  std::vector<TimedKernel> kernels = {};
};

struct TimedStep {
  TimedKernels forward, backward;
  bool of_operators = false;  // kernels are not modelled
};

// The time of a step. `code` is that of its two graphs; without it, and on a device whose kernels are not modelled
// (KernelTimes::multiprocessors), such as a CPU, the time is that of the graphs' operators (cost/fused_roofline.h).
StepTime step_time(const GraphPair& graphs, const std::optional<PredictedCode>& code, const DeviceProfile& device);

// The kernels that take that time, in the order of their first parts. They refer to the graphs of the pair or of the code, which
// must outlive them.
TimedStep timed_kernels(const GraphPair& graphs, const std::optional<PredictedCode>& code, const DeviceProfile& device);

}  // namespace fxcut
