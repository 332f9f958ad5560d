#include "cost/runtime.h"

#include <algorithm>

#include "cost/device_profile.h"
#include "cost/flops.h"

namespace fxcut {
namespace {

const Tensor* first_tensor(const Value& value) {
  if (value.is_tensor()) return &value.tensor;
  for (const Value& item : value.items) {
    if (const Tensor* tensor = first_tensor(item)) return tensor;
  }
  return nullptr;
}

double roofline_ms(const Graph& graph, const Node& node, const DeviceProfile& device, Release release) {
  constexpr double kMsPerSecond = 1000, kBytesPerGb = 1e9;
  if (!node.value) return 0;
  double bytes = static_cast<double>(tensor_bytes(*node.value));
  for (const NodeId input : node.inputs) {  // may repeat, so that their sum has no bound
    if (graph[input].value) bytes += static_cast<double>(tensor_bytes(*graph[input].value));
  }
  const Tensor* result = first_tensor(*node.value);
  const double flops = static_cast<double>(estimate_flops(graph, node, release));
  const double computing = result ? flops / peak_flops(device, *result->dtype) : 0;
  return kMsPerSecond * std::max(computing, bytes / (device.memory_gb_per_second * kBytesPerGb));
}

}  // namespace

bool is_compute_node(const Node& node, Release release) {
  return node.is_call() && has_flop_formula(*node.callee, release);
}

double compute_ms(const Graph& graph, const Node& node, const Settings& settings, Release release) {
  if (!is_compute_node(node, release)) return 0;
  if (node.meta.runtime_ms) return *node.meta.runtime_ms;
  return roofline_ms(graph, node, *find_device_profile(settings.device_profile), release);
}

}  // namespace fxcut
