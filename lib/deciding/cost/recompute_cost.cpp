#include "cost/recompute_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "classify/views.h"
#include "cost/flops.h"
#include "cost/runtime.h"
#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

constexpr double kPicosecondsPerMs = 1e9;
constexpr double kLongestMs = 1e15;  // thousands of years: so that any sum of costs stays within its type

Wide picoseconds(double ms) { return static_cast<Wide>(std::round(std::min(ms, kLongestMs) * kPicosecondsPerMs)); }

std::optional<Wide> by_flops(const Graph& graph, const Node& call, const Settings&, Release release) {
  return estimate_flops(graph, call, release);
}

std::optional<Wide> by_roofline(const Graph& graph, const Node& call, const Settings& settings, Release release) {
  return picoseconds(runtime_ms(graph, call, settings, release));
}

std::optional<Wide> by_profile(const Graph& graph, const Node& call, const Settings&, Release) {
  if (call.meta.runtime_ms) return picoseconds(*call.meta.runtime_ms);
  return computes_nothing(graph, call) ? std::optional<Wide>(0) : std::nullopt;
}

std::optional<Wide> all_the_same(const Graph&, const Node&, const Settings&, Release) { return 1; }

Failure not_told(const RecomputeCost& estimator, const std::vector<std::string_view>& names) {
  constexpr std::size_t kMostNames = 5;
  const auto first = std::span(names).first(std::min(names.size(), kMostNames));
  return Failure(ExitStatus::NoPartition,
                 fmt::format("the estimator '{}' cannot tell what {} of the nodes cost: {}{}", estimator.estimator,
                             names.size(), fmt::join(first, ", "), names.size() > kMostNames ? ", ..." : ""),
                 "give them a 'runtime_ms' in their 'meta', or estimate by roofline or flops");
}

}  // namespace

const std::vector<RecomputeCost>& recompute_costs() {
  static const std::vector<RecomputeCost> estimators = {
      {"flops", "FLOP", 1, "floating point operations", by_flops},
      {"roofline", "ms", kPicosecondsPerMs, "run time by the device's peak rate and memory bandwidth", by_roofline},
      {"profile", "ms", kPicosecondsPerMs, "run time that the graph says was measured", by_profile},
      {"testing", "calls", 1, "each operator the same", all_the_same},
  };
  return estimators;
}

const RecomputeCost* find_recompute_cost(std::string_view estimator) {
  const auto& all = recompute_costs();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const RecomputeCost& c) { return c.estimator == estimator; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<Wide> cost_of_nodes(const RecomputeCost& estimator, const Graph& graph, const std::vector<NodeId>& nodes,
                                const Settings& settings, Release release) {
  std::vector<Wide> costs;
  std::vector<std::string_view> unknown;
  for (const NodeId id : nodes) {
    const Node& node = graph[id];
    const std::optional<Wide> cost = node.is_call() ? estimator.of(graph, node, settings, release) : Wide{0};
    if (!cost) unknown.push_back(node.name);
    costs.push_back(cost.value_or(0));
  }
  if (!unknown.empty()) throw not_told(estimator, unknown);
  return costs;
}

}  // namespace fxcut
