#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "report/describe_parts.h"
#include "step/backward_regions.h"

namespace fxcut {
namespace {

std::size_t count_calls(const Graph& step, StepPhase phase) {
  return static_cast<std::size_t>(std::ranges::count_if(
      step.nodes, [&](const Node& node) { return node.is_call() && node.meta.phase == phase; }));
}

// Counts copies of what another copy computes: both have the text of one node.
std::size_t count_recomputed_again(const Graph& step) {
  std::unordered_set<std::uint32_t> origins;
  return static_cast<std::size_t>(std::ranges::count_if(step.nodes, [&](const Node& node) {
    return node.is_recomputed_copy && node.is_call() && !origins.insert(node.origin).second;
  }));
}

// The bytes of the inputs that only the optimizer uses, each storage once.
std::int64_t state_bytes(const Graph& step, const MemoryProfile& profile) {
  std::vector<bool> is_of_others(step.size(), false);
  for (const Node& node : step.nodes) {
    if (node.meta.phase == StepPhase::Optimizer && !node.is_output()) continue;
    for (const NodeId input : node.inputs) is_of_others[index_of(input)] = true;
  }
  const Users users(step);
  std::int64_t bytes = 0;
  for (const Allocation& allocation : profile.allocations) {
    const bool is_state = step[allocation.node].is_placeholder() && !is_of_others[index_of(allocation.node)] &&
                          !users.of(allocation.node).empty();
    if (is_state) bytes += allocation.size_bytes;
  }
  return bytes;
}

Int128 peak_of_optimizer(const Graph& step, const MemoryProfile& profile) {
  Int128 peak = 0;
  for (std::size_t s = 0; s < profile.steps.size(); ++s) {
    if (step[profile.steps[s].node].meta.phase == StepPhase::Optimizer) peak = std::max(peak, profile.curve[s].bytes);
  }
  return peak;
}

}  // namespace

StepReport describe_step(const Graph& as_read, const Graph& step, const MemoryProfile& profile) {
  StepReport report;
  report.backward_regions = backward_regions(as_read, find_backward(as_read)).size();
  report.backward_operators = count_calls(step, StepPhase::Backward);
  report.recomputed_again = count_recomputed_again(step);
  const std::size_t operators = count_calls(step, StepPhase::Optimizer);
  if (operators > 0) report.optimizer = StepOptimizer{operators, state_bytes(step, profile), peak_of_optimizer(step, profile)};
  return report;
}

}  // namespace fxcut
