#include "pipelining/stage_price.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "cost/device_profile.h"
#include "cost/estimators.h"
#include "cost/fused_roofline.h"
#include "graph/rebuild.h"
#include "memory/memory_profile.h"
#include "solve/budget_solvers.h"
#include "extract/parameter_gradients.h"

namespace fxcut {
namespace {

using TimeByName = std::unordered_map<std::string_view, double>;

TimeByName times_of(const Graph& graph, const Settings& settings) {
  const std::vector<double> times = fused_roofline_ms(graph, device_of(settings, graph).profile);
  TimeByName by_name;
  for (std::size_t i = 0; i < graph.size(); ++i) by_name.emplace(graph.nodes[i].name, times[i]);
  return by_name;
}

// Of the graph's calls for which `counts` is true, by position.
template <typename Counts>
double sum_of(const Graph& graph, const TimeByName& times, const Counts& counts) {
  double ms = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto found = times.find(graph.nodes[i].name);
    if (graph.nodes[i].is_call() && found != times.end() && counts(i)) ms += found->second;
  }
  return ms;
}

std::vector<OutputLeaf> gradients_of(const Graph& backward, const std::vector<bool>& is_parameter, bool parameters) {
  std::vector<OutputLeaf> found;
  const std::vector<OutputLeaf> leaves = output_leaves(backward);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].node && (i >= is_parameter.size() || is_parameter[i]) == parameters) found.push_back(leaves[i]);
  }
  return found;
}

std::int64_t bytes_of(const Graph& graph, const std::vector<OutputLeaf>& leaves) {
  std::unordered_set<std::size_t> counted;
  std::int64_t bytes = 0;
  for (const OutputLeaf& leaf : leaves) {
    const Node& node = graph[*leaf.node];
    if (node.value && counted.insert(index_of(*leaf.node)).second) bytes += tensor_bytes(*node.value);
  }
  return bytes;
}

std::vector<CarriedValue> carried_in(const Report& report) {
  std::vector<CarriedValue> carried;
  const auto add = [&](const auto& rows) {
    for (const auto& row : rows) carried.push_back({row.forward_output, row.backward_input});
  };
  add(report.saved_values);
  add(report.saved_opaques);
  add(report.saved_random_states);
  add(report.saved_symbols);
  return carried;
}

// The backward with all that `is_first` before the rest. What they need is among them.
Graph reordered(const Graph& backward, const std::vector<bool>& is_first) {
  std::vector<NodeId> order;
  for (const bool first : {true, false}) {
    for (std::size_t i = 0; i < backward.size(); ++i) {
      if ((is_first[i] || backward.nodes[i].is_placeholder()) == first) order.push_back(node_id(i));
    }
  }
  return select_nodes(backward, order);
}

void price_parts(const Partition& partition, const std::vector<bool>& is_first, StageBytes& bytes) {
  const Graph& backward = partition.graphs.backward;
  const Decision& decision = *partition.decision;
  const GraphPair graphs{partition.graphs.forward, reordered(backward, is_first)};
  Lifetimes lifetimes =
      find_lifetimes(graphs, carried_in(partition.report), decision.storages, decision.joint.merged_storages);
  const auto begin = std::find_if(lifetimes.steps.begin(), lifetimes.steps.end(),
                                  [](const auto& step) { return step.side == Side::Backward; });
  const auto first_step = static_cast<std::size_t>(begin - lifetimes.steps.begin());
  for (Allocation& held : lifetimes.allocations) {
    const bool is_freed_later = held.last_step >= first_step && held.last_step != Allocation::kKeptByCaller;
    if (held.side == Side::Forward && is_freed_later) held.last_step = lifetimes.steps.size() - 1;
  }
  const auto calls = [&](std::size_t i) { return is_first[i] && !backward.nodes[i].is_placeholder(); };
  std::size_t second_step = first_step;
  for (std::size_t i = 0; i < backward.size(); ++i) second_step += calls(i);
  const MemoryProfile profile = profile_memory(std::move(lifetimes));
  const auto most = [&](std::size_t from, std::size_t to) {
    Wide found = 0;
    for (std::size_t i = from; i < to; ++i) found = std::max(found, profile.curve[i].bytes);
    return static_cast<std::int64_t>(found) + profile.input_bytes;
  };
  const bool has_first = second_step > first_step;
  bytes.input_backward = has_first ? most(first_step, second_step) : bytes.held;
  bytes.held_for_weights =
      has_first ? static_cast<std::int64_t>(profile.curve[second_step - 1].bytes_after) + profile.input_bytes : bytes.held;
  bytes.weight_backward = most(second_step, profile.curve.size());
}

// Of rising numbers the first, the last, and those nearest to even steps between them, at most `most` and each once.
std::vector<std::int64_t> evenly_spaced(const std::vector<std::int64_t>& rising, std::size_t most) {
  const auto steps = static_cast<std::int64_t>(std::max<std::size_t>(most, 2) - 1);
  const std::int64_t first = rising.front(), step = std::max<std::int64_t>((rising.back() - first) / steps, 1);
  std::vector<std::int64_t> taken = {first};
  for (std::int64_t i = 1; i < steps; ++i) {
    const auto above = std::lower_bound(rising.begin(), rising.end(), first + i * step);
    const bool is_below_nearer =
        above == rising.end() || (above != rising.begin() && first + i * step - *(above - 1) < *above - first - i * step);
    taken.push_back(is_below_nearer ? *(above - 1) : *above);
  }
  taken.push_back(rising.back());
  taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
  return taken;
}

}  // namespace

StageChoice price_stage(const Partition& partition, bool splits) {
  const Report& report = partition.report;
  const Decision& decision = *partition.decision;
  const MemoryReport& memory = report.memory;
  const Graph& backward = partition.graphs.backward;
  const std::vector<bool> is_parameter = find_parameter_gradients(decision.joint);
  const TimeByName times = times_of(decision.joint.graph, report.settings);
  const auto all = [](std::size_t) { return true; };
  StageChoice choice;
  choice.saved_bytes = report.totals.saved_bytes_not_static;
  choice.recomputed_flops = report.totals.recomputed_flops;
  choice.times.forward_ms = sum_of(partition.graphs.forward, times, all);
  choice.times.backward_ms = sum_of(backward, times, all);
  StageBytes& bytes = choice.bytes;
  bytes.parameters = memory.static_bytes;
  bytes.gradients = bytes_of(backward, gradients_of(backward, is_parameter, true));
  bytes.held = static_cast<std::int64_t>(memory.between_bytes) + memory.input_bytes;
  bytes.forward = static_cast<std::int64_t>(memory.forward_peak_bytes) + memory.input_bytes;
  bytes.backward = static_cast<std::int64_t>(memory.backward_peak_bytes) + memory.input_bytes;
  if (!splits) return choice;
  const std::vector<bool> is_first = needed_for(backward, gradients_of(backward, is_parameter, false));
  choice.times.input_backward_ms = sum_of(backward, times, [&](std::size_t i) { return is_first[i]; });
  choice.times.weight_backward_ms = choice.times.backward_ms - choice.times.input_backward_ms;
  price_parts(partition, is_first, bytes);
  return choice;
}

std::vector<StageChoice> stage_choices(const JointGraph& joint, const Settings& given, const PolicyStack& policies,
                                       bool splits, std::size_t most) {
  std::vector<std::int64_t> saved;
  for (const TracedPoint& point : trace_frontier(joint, given, estimator_of_frontier(given), policies)) {
    saved.push_back(point.choice.saved_bytes);
  }
  if (saved.empty()) return {price_stage(partition(joint, given, policies), splits)};
  std::vector<StageChoice> choices;
  for (const std::int64_t limit : evenly_spaced(saved, most)) {
    Settings settings = given;
    settings.activation_memory_budget_solver = frontier_solver();
    settings.saved_bytes_limit = limit_of_bytes(limit);
    choices.push_back(price_stage(partition(joint, settings, policies), splits));
    choices.back().limit_bytes = limit;
  }
  return choices;
}

}  // namespace fxcut
