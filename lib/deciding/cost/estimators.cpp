#include "cost/estimators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "classify/views_and_writes.h"
#include "cost/device_profile.h"
#include "cost/flops.h"
#include "diagnostic/diagnostic.h"

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

constexpr double kPicosecondsPerMs = 1e9;
constexpr double kLongestMs = 1e15;  // thousands of years: so that any sum of costs fits its type

Wide picoseconds(double ms) { return static_cast<Wide>(std::round(std::min(ms, kLongestMs) * kPicosecondsPerMs)); }

std::optional<double> runtime_by_flops(const Graph& graph, const Node& node, const Settings&, Release release) {
  return static_cast<double>(estimate_flops(graph, node, release));
}
std::optional<Wide> cost_by_flops(const Graph& graph, const Node& call, const Settings&, Release release) {
  return estimate_flops(graph, call, release);
}

std::optional<double> runtime_of_any(const Graph&, const Node&, const Settings&, Release) { return 1; }
std::optional<Wide> cost_of_any(const Graph&, const Node&, const Settings&, Release) { return 1; }

std::optional<double> runtime_by_roofline(const Graph& graph, const Node& node, const Settings& settings,
                                          Release release) {
  return runtime_ms(graph, node, settings, release);
}
std::optional<Wide> cost_by_roofline(const Graph& graph, const Node& call, const Settings& settings, Release release) {
  return picoseconds(runtime_ms(graph, call, settings, release));
}

std::optional<double> runtime_by_profile(const Graph&, const Node& node, const Settings&, Release) {
  return node.meta.runtime_ms;
}
std::optional<Wide> cost_by_profile(const Graph& graph, const Node& call, const Settings&, Release) {
  if (call.meta.runtime_ms) return picoseconds(*call.meta.runtime_ms);
  return computes_nothing(graph, call) ? std::optional<Wide>(0) : std::nullopt;
}

Failure unpriced(const Estimator& estimator, const std::vector<std::string_view>& names) {
  constexpr std::size_t kMostNames = 5;
  const auto first = std::span(names).first(std::min(names.size(), kMostNames));
  return Failure(ExitStatus::NoPartition,
                 fmt::format("the estimator '{}' cannot tell what {} of the nodes cost: {}{}", estimator.name,
                             names.size(), fmt::join(first, ", "), names.size() > kMostNames ? ", ..." : ""),
                 "give them a 'runtime_ms' in their 'meta', or estimate by roofline or flops");
}

Failure not_measured(const std::vector<std::string>& names, std::size_t candidates) {
  return Failure(ExitStatus::NoPartition,
                 fmt::format("the run time estimator 'profile' needs meta.runtime_ms of all {} values that the memory "
                             "budget may have recomputed, and {} {} none: {}",
                             candidates, names.size(), names.size() == 1 ? "has" : "have", list_names(names)),
                 "measure them, or set activation_memory_budget_runtime_estimator to flops or roofline");
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

const std::vector<Estimator>& estimators() {
  static const std::vector<Estimator> all = {
      {"flops", "FLOP", 1, "floating point operations", runtime_by_flops, cost_by_flops},
      {"testing", "calls", 1, "each operator the same", runtime_of_any, cost_of_any},
      {"roofline", "ms", kPicosecondsPerMs, "run time by the device's peak rate and memory bandwidth",
       runtime_by_roofline, cost_by_roofline},
      {"profile", "ms", kPicosecondsPerMs, "run time that the graph says was measured", runtime_by_profile,
       cost_by_profile},
  };
  return all;
}

const Estimator& estimator_of(const Settings& settings) {
  return settings.activation_memory_budget_runtime_estimator.in(estimators());
}

std::vector<double> estimate_runtimes(const Analysis& a, const std::vector<NodeId>& nodes) {
  const Estimator& estimator = estimator_of(a.settings);
  std::vector<double> runtimes;
  std::vector<std::string> unpriced;
  for (const NodeId id : nodes) {
    const auto runtime = estimator.runtime(a.graph(), a.node(id), a.settings, a.joint.torch.release);
    if (!runtime) unpriced.push_back(fmt::format("'{}'", a.node(id).name));
    runtimes.push_back(runtime.value_or(0));
  }
  if (!unpriced.empty()) throw not_measured(unpriced, nodes.size());
  return runtimes;
}

std::vector<Wide> cost_of_nodes(const Estimator& estimator, const Graph& graph, const std::vector<NodeId>& nodes,
                                const Settings& settings, Release release) {
  std::vector<Wide> costs;
  std::vector<std::string_view> unknown;
  for (const NodeId id : nodes) {
    const Node& node = graph[id];
    const std::optional<Wide> cost = node.is_call() ? estimator.cost(graph, node, settings, release) : Wide{0};
    if (!cost) unknown.push_back(node.name);
    costs.push_back(cost.value_or(0));
  }
  if (!unknown.empty()) throw unpriced(estimator, unknown);
  return costs;
}

}  // namespace fxcut
