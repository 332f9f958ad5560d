#include "cost/runtime.h"

#include <algorithm>

#include "classify/views.h"
#include "cost/device_profile.h"
#include "cost/flops.h"

namespace fxcut {
namespace {

double bytes_of(const Value& value) {
  // An expanded tensor has more elements than memory, a slice extends over more memory than its elements.
  if (value.is_tensor()) return static_cast<double>(std::min(element_bytes(value.tensor), extent_bytes(value.tensor)));
  double bytes = 0;
  for (const Value& item : value.items) bytes += bytes_of(item);
  return bytes;
}

const Tensor* first_tensor(const Value& value) {
  if (value.is_tensor()) return &value.tensor;
  for (const Value& item : value.items) {
    if (const Tensor* tensor = first_tensor(item)) return tensor;
  }
  return nullptr;
}

// The first operand, which may have another dtype than the result.
const Tensor* multiplied_tensor(const Graph& graph, const Node& node) {
  for (const NodeId input : node.inputs) {
    const Tensor* tensor = graph[input].value ? first_tensor(*graph[input].value) : nullptr;
    if (tensor) return tensor;
  }
  return first_tensor(*node.value);
}

double roofline_ms(const Graph& graph, const Node& node, const DeviceProfile& device, Release release) {
  constexpr double kMsPerSecond = 1000, kBytesPerGb = 1e9;
  if (!node.value) return 0;
  double bytes = bytes_of(*node.value);
  for (const NodeId input : node.inputs) {  // inputs may repeat
    if (graph[input].value) bytes += bytes_of(*graph[input].value);
  }
  const Tensor* operand = multiplied_tensor(graph, node);
  const double flops = static_cast<double>(estimate_flops(graph, node, release));
  const double computing = operand ? flops / peak_flops(device, *operand->dtype) : 0;
  return kMsPerSecond * std::max(computing, bytes / (device.memory_gb_per_second * kBytesPerGb));
}

}  // namespace

bool is_compute_node(const Node& node, Release release) {
  return node.is_call() && has_flop_formula(*node.callee, release);
}

double compute_ms(const Graph& graph, const Node& node, const Settings& settings, Release release) {
  if (!is_compute_node(node, release)) return 0;
  if (node.meta.runtime_ms) return *node.meta.runtime_ms;
  return roofline_ms(graph, node, device_of(settings), release);
}

double runtime_ms(const Graph& graph, const Node& node, const Settings& settings, Release release) {
  if (!node.is_call() || computes_nothing(graph, node)) return 0;
  return roofline_ms(graph, node, device_of(settings), release);
}

}  // namespace fxcut
