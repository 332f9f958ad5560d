#include "inductor/kernel_times.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "classify/host_copies.h"
#include "cost/collective_time.h"
#include "cost/fused_roofline.h"
#include "cost/library_time.h"
#include "graph/strides.h"
#include "inductor/kernel_nodes.h"

namespace fxcut {
namespace {

constexpr double kMsPerUs = 1e-3, kMsPerNs = 1e-6;

// How many elements of the buffer the access touches.
double elements_at(const Loops& loops, const Access& access) {
  double elements = 1;
  for (std::size_t i = 0; i < loops.sizes.size(); ++i) {
    const bool stays = access.strides && i < access.strides->size() && (*access.strides)[i] == 0;
    if (!stays) elements *= static_cast<double>(loops.sizes[i]);
  }
  return access.taken ? std::min(elements, static_cast<double>(*access.taken)) : elements;
}

class TimesOfKernels {
 public:
  TimesOfKernels(const PredictedGraphCode& code, const DeviceProfile& device)
      : graph_(*code.traced), program_(code.lowered.program), device_(device), moved_(program_.buffers.size()) {}

  double ms(const FusedKernel& kernel) {
    if (!kernel.runs) return 0;
    return kernel.library ? call_ms(kernel) : loops_ms(kernel);
  }

 private:
  double call_ms(const FusedKernel& kernel) const {
    const Node& call = graph_[program_.kernels[kernel.parts.front()].node];
    if (is_item(kernel) || is_host_copy(call)) return 0;
    if (call.meta.runtime_ms) return *call.meta.runtime_ms;
    double read = 0, written = 0;
    for (const BufferId id : kernel.reads) read += bytes_of(id);
    for (const BufferId id : kernel.writes) written += bytes_of(id);
    if (call.callee->is_collective()) return collective_ms(call, std::max(read, written), device_);
    return library_ms(graph_, call, read + written, device_);
  }

  // Whether it only takes an item of another call's result: not a kernel.
  bool is_item(const FusedKernel& kernel) const {
    return !kernel.writes.empty() &&
           std::ranges::all_of(kernel.writes, [&](BufferId id) { return program_.buffers[id].item_of.has_value(); });
  }

  double loops_ms(const FusedKernel& kernel) {
    const double drawn = numbers_drawn(kernel) * device_.elements.random_ns * kMsPerNs;
    return ms_of_traffic(moved_bytes(kernel), device_) + drawn + device_.kernels.least_us * kMsPerUs;
  }

  double moved_bytes(const FusedKernel& kernel) {
    move_elements(kernel);
    double bytes = 0;
    for (const BufferId id : touched_) {
      const Moved moved = std::exchange(moved_[id], {});
      const Buffer& buffer = program_.buffers[id];
      if (buffer.vanishes || !buffer.dtype) continue;
      bytes += std::min(bytes_of(id), (moved.read_or_written + moved.changed) * static_cast<double>(buffer.dtype->size_bytes));
    }
    touched_.clear();
    return bytes;
  }

  // A part may read what another writes, and change what it has read.
  void move_elements(const FusedKernel& kernel) {
    for (const KernelId id : kernel.parts) {
      const Kernel& part = program_.kernels[id];
      for (const Access& access : part.reads) {
        if (!access.is_position()) touch(access.buffer).read_or_written += elements_at(*part.loops, access);
      }
      for (const BufferId changed : part.changes) touch(changed).changed += static_cast<double>(product(part.loops->sizes));
    }
    for (const BufferId written : kernel.writes) {
      touch(written).read_or_written = static_cast<double>(program_.buffers[written].elements);
    }
  }

  struct Moved {
    double read_or_written = 0, changed = 0;
    bool is_touched = false;
  };

  Moved& touch(BufferId id) {
    if (!std::exchange(moved_[id].is_touched, true)) touched_.push_back(id);
    return moved_[id];
  }

  double numbers_drawn(const FusedKernel& kernel) const {
    double numbers = 0;
    for (const KernelId id : kernel.parts) {
      const Kernel& part = program_.kernels[id];
      const Node& node = graph_[part.node];
      const bool draws = node.is_call() && node.callee->packet.starts_with("prims.inductor_rand");
      if (draws) numbers += static_cast<double>(product(part.loops->sizes));
    }
    return numbers;
  }

  double bytes_of(BufferId id) const { return static_cast<double>(program_.buffers[id].bytes); }

  const Graph& graph_;
  const Kernels& program_;
  const DeviceProfile& device_;
  std::vector<Moved> moved_;        // by buffer: the elements that the kernel at hand moves
  std::vector<BufferId> touched_;   // those of which it moves any
};

struct SumOfKernels {
  double ms = 0;
  std::size_t count = 0;  // of those that take time
};

SumOfKernels sum_of(const PredictedGraphCode& code, const DeviceProfile& device) {
  TimesOfKernels times(code, device);
  SumOfKernels sum;
  for (const FusedKernel& kernel : code.kernels) {
    const double ms = times.ms(kernel);
    sum.ms += ms;
    if (ms > 0) ++sum.count;
  }
  return sum;
}

TimedKernels timed_code(const PredictedGraphCode& code, const DeviceProfile& device) {
  TimesOfKernels times(code, device);
  const NodesOfKernels nodes(*code.traced, code.lowered.program);
  TimedKernels timed{code.traced.get()};
  for (const FusedKernel& kernel : code.kernels) {
    const double ms = times.ms(kernel);
    if (ms > 0) timed.kernels.push_back({nodes.of(kernel), !kernel.library, ms});
  }
  return timed;
}

TimedKernels timed_operators(const Graph& graph, const DeviceProfile& device, const Graph* forward) {
  TimedKernels timed{&graph};
  const std::vector<double> ms = fused_roofline_ms(graph, device, forward);
  for (std::size_t i = 0; i < ms.size(); ++i) {
    if (ms[i] > 0) timed.kernels.push_back({{node_id(i)}, false, ms[i]});
  }
  return timed;
}

bool knows_kernels(const std::optional<PredictedCode>& code, const DeviceProfile& device) {
  return code && device.kernels.multiprocessors > 0;
}

}  // namespace

StepTime step_time(const GraphPair& graphs, const std::optional<PredictedCode>& code, const DeviceProfile& device) {
  if (!knows_kernels(code, device)) {
    return {run_time_ms(graphs.forward, device) + run_time_ms(graphs.backward, device, &graphs.forward)};
  }
  const SumOfKernels forward = sum_of(code->forward, device), backward = sum_of(code->backward, device);
  StepTime time{forward.ms + backward.ms};
  const double launch_us = device.kernels.launch_us;
  if (launch_us > 0) time.launch_ms = static_cast<double>(forward.count + backward.count) * launch_us * kMsPerUs;
  return time;
}

TimedStep timed_kernels(const GraphPair& graphs, const std::optional<PredictedCode>& code, const DeviceProfile& device) {
  if (knows_kernels(code, device)) return {timed_code(code->forward, device), timed_code(code->backward, device)};
  return {timed_operators(graphs.forward, device, nullptr), timed_operators(graphs.backward, device, &graphs.forward), true};
}

}  // namespace fxcut
