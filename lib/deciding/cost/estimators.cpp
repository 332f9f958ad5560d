#include "cost/estimators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>

#include "classify/views_and_writes.h"
#include "cost/device_profile.h"
#include "cost/flops.h"
#include "cost/fused_roofline.h"
#include "diagnostic/diagnostic.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

double roofline_ms(const Graph& graph, const Node& node, const DeviceProfile& device, Release release) {
  constexpr double kMsPerSecond = 1000, kBytesPerGb = 1e9;
  if (!node.value) return 0;
  double bytes = traffic_of(*node.value);
  for (const NodeId input : node.inputs) {  // inputs may repeat
    if (graph[input].value) bytes += traffic_of(*graph[input].value);
  }
  const Tensor* operand = multiplied_tensor(graph, node);
  const double flops = static_cast<double>(estimate_flops(graph, node, release));
  const double computing = operand ? flops / peak_flops(device, *operand->dtype) : 0;
  return kMsPerSecond * std::max(computing, bytes / (device.memory_gb_per_second * kBytesPerGb));
}

constexpr double kLongestMs = 1e15;  // thousands of years; keeps any sum of costs within its type

// Each gives the estimate of a node, from the graph as a whole.
using Runtime = std::function<std::optional<double>(NodeId)>;
using Cost = std::function<std::optional<Int128>(NodeId)>;

Runtime runtime_by_flops(const Graph& graph, const Settings&, Release release) {
  return [&graph, release](NodeId id) { return static_cast<double>(estimate_flops(graph, graph[id], release)); };
}
Cost cost_by_flops(const Graph& graph, const Settings&, Release release) {
  return [&graph, release](NodeId id) { return estimate_flops(graph, graph[id], release); };
}

Runtime runtime_of_any(const Graph&, const Settings&, Release) {
  return [](NodeId) { return 1; };
}
Cost cost_of_any(const Graph&, const Settings&, Release) {
  return [](NodeId) { return 1; };
}

Runtime runtime_by_roofline(const Graph& graph, const Settings& settings, Release) {
  return [times = fused_roofline_ms(graph, device_of(settings, graph).profile)](NodeId id) { return times[index_of(id)]; };
}
// Computation is never free, so that the shorter of two equal choices wins.
Cost cost_by_roofline(const Graph& graph, const Settings& settings, Release) {
  return [&graph, times = fused_roofline_ms(graph, device_of(settings, graph).profile)](NodeId id) {
    return std::max<Int128>(picoseconds(times[index_of(id)]), computes_nothing(graph, graph[id]) ? 0 : 1);
  };
}

Runtime runtime_by_profile(const Graph& graph, const Settings&, Release) {
  return [&graph](NodeId id) { return graph[id].meta.runtime_ms; };
}
Cost cost_by_profile(const Graph& graph, const Settings&, Release) {
  return [&graph](NodeId id) -> std::optional<Int128> {
    const Node& call = graph[id];
    if (call.meta.runtime_ms) return picoseconds(*call.meta.runtime_ms);
    return computes_nothing(graph, call) ? std::optional<Int128>(0) : std::nullopt;
  };
}

Failure unpriced(const Estimator& estimator, const std::vector<std::string_view>& names) {
  constexpr std::size_t kMaxNamesListed = 5;
  const auto first = std::span(names).first(std::min(names.size(), kMaxNamesListed));
  return Failure(ExitStatus::NoPartition,
                 fmt::format("the estimator '{}' cannot tell what {} of the nodes cost: {}{}", estimator.name,
                             names.size(), fmt::join(first, ", "), names.size() > kMaxNamesListed ? ", ..." : ""),
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

Int128 picoseconds(double ms) { return static_cast<Int128>(std::round(std::min(ms, kLongestMs) * kPicosecondsPerMs)); }

double compute_ms(const Graph& graph, const Node& node, const DeviceProfile& device, Release release) {
  if (!is_compute_node(node, release)) return 0;
  if (node.meta.runtime_ms) return *node.meta.runtime_ms;
  return roofline_ms(graph, node, device, release);
}

const std::vector<Estimator>& estimators() {
  static const std::vector<Estimator> all = {
      {"flops", "FLOP", 1, "floating point operations", runtime_by_flops, cost_by_flops},
      {"testing", "calls", 1, "each operator the same", runtime_of_any, cost_of_any},
      {"roofline", "ms", kPicosecondsPerMs, "run time of fused kernels by the device's rates",
       runtime_by_roofline, cost_by_roofline},
      {"profile", "ms", kPicosecondsPerMs, "run time that the graph says was measured", runtime_by_profile,
       cost_by_profile},
  };
  return all;
}

const Estimator& estimator_of_budget(const Settings& settings) {
  return settings.activation_memory_budget_runtime_estimator.value_or(RowOf<Estimator>{}).in(estimators());
}

const Estimator& estimator_of_frontier(const Settings& settings) {
  static const RowOf<Estimator> roofline = *find_row(estimators(), "roofline");
  return settings.activation_memory_budget_runtime_estimator.value_or(roofline).in(estimators());
}

std::vector<double> estimate_runtimes(const Analysis& a, const std::vector<NodeId>& nodes) {
  const auto runtime_of = estimator_of_budget(a.settings).runtime(a.graph(), a.settings, a.joint.torch.release);
  std::vector<double> runtimes;
  std::vector<std::string> unpriced;
  for (const NodeId id : nodes) {
    const auto runtime = runtime_of(id);
    if (!runtime) unpriced.push_back(fmt::format("'{}'", a.node(id).name));
    runtimes.push_back(runtime.value_or(0));
  }
  if (!unpriced.empty()) throw not_measured(unpriced, nodes.size());
  return runtimes;
}

std::vector<Int128> cost_of_nodes(const Estimator& estimator, const Graph& graph, const std::vector<NodeId>& nodes,
                                  const Settings& settings, Release release) {
  const auto cost_of = estimator.cost(graph, settings, release);
  std::vector<Int128> costs;
  std::vector<std::string_view> unknown;
  for (const NodeId id : nodes) {
    const Node& node = graph[id];
    const std::optional<Int128> cost = node.is_call() ? cost_of(id) : Int128{0};
    if (!cost) unknown.push_back(node.name);
    costs.push_back(cost.value_or(0));
  }
  if (!unknown.empty()) throw unpriced(estimator, unknown);
  return costs;
}

}  // namespace fxcut
