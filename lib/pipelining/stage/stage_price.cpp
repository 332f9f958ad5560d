#include "stage/stage_price.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "cost/device_profile.h"
#include "cost/estimators.h"
#include "cost/fused_roofline.h"
#include "memory/memory_profile.h"
#include "partition/trace_frontier.h"
#include "solve/budget_solvers.h"
#include "split/parameter_gradients.h"
#include "split/split_backward.h"

namespace fxcut {
namespace {

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

// The values that the first part returns after its gradients are the inputs of the second.
std::vector<CarriedValue> held_between(const BackwardParts& parts) {
  std::vector<CarriedValue> held;
  for (std::size_t i = 0; i < parts.held.size(); ++i) held.push_back({parts.num_gradients + i, i});
  return held;
}

std::optional<BackwardParts> split(const Partition& partition, const DeviceProfile& device,
                                   const std::vector<bool>& is_parameter, Holding& holding) {
  JointGraph backward;
  backward.graph = partition.graphs.backward;
  backward.subgraphs = partition.subgraphs;
  backward.torch = partition.decision->joint.torch;
  std::vector<NodeId> held;
  if (holding == Holding::Least) {
    held = choose_held(partition.decision->joint, backward, is_parameter, device);
  }
  if (held.empty()) holding = Holding::AsNeeded;
  return split_backward(backward, is_parameter, held);
}

void price_parts(const Partition& partition, const BackwardParts& parts, StageBytes& bytes) {
  const Decision& decision = *partition.decision;
  const std::vector<CarriedValue> saved = carried_in(partition.report), held = held_between(parts);
  SplitLifetimes found = find_lifetimes({partition.graphs.forward, parts.input, parts.weight, saved, held}, decision.storages,
                                        decision.joint.merged_storages);
  std::int64_t held_inputs = 0;  // of the stage, which are not in the curve
  bytes.held_for_weights = 0;
  for (std::size_t i = 0; i < found.is_held.size(); ++i) {
    const Allocation& allocation = found.lifetimes.allocations[i];
    if (!found.is_held[i]) continue;
    bytes.held_for_weights += allocation.size_bytes;
    if (allocation.owner == Allocation::Owner::Inputs) held_inputs += allocation.size_bytes;
  }
  const MemoryProfile profile = profile_memory(std::move(found.lifetimes));
  const auto most = [&](Side side) {
    Int128 bytes_there = 0;
    for (std::size_t i = 0; i < profile.steps.size(); ++i) {
      if (profile.steps[i].side == side) bytes_there = std::max(bytes_there, profile.curve[i].bytes);
    }
    return static_cast<std::int64_t>(bytes_there);
  };
  bytes.input_backward = most(Side::BackwardInput) + profile.input_bytes;
  bytes.weight_backward = most(Side::BackwardWeight) + held_inputs;
}

// Prices a backward that has gradients of weights only, or of inputs only.
void price_one_part(bool of_weights, StageTimes& times, StageBytes& bytes) {
  (of_weights ? times.weight_backward_ms : times.input_backward_ms) = times.backward_ms;
  bytes.input_backward = of_weights ? bytes.held : bytes.backward;
  bytes.held_for_weights = of_weights ? bytes.held : 0;
  bytes.weight_backward = of_weights ? bytes.backward : 0;
}

// By the code, if it is predicted; that of a backward in two parts is not, so then all is counted by operators.
void price_whole(const MemoryReport& memory, bool has_parts, StageBytes& bytes) {
  const auto with_inputs = [&](Int128 in_use) { return static_cast<std::int64_t>(in_use) + memory.input_bytes; };
  const auto set = [&](const auto& counted) {
    bytes.held = with_inputs(counted.between_bytes);
    bytes.forward = with_inputs(counted.forward_peak_bytes);
    bytes.backward = with_inputs(counted.backward_peak_bytes);
  };
  if (memory.compiled && !has_parts) set(*memory.compiled);
  else set(memory);
}

// The first and the last of the rising numbers, and those nearest to even steps between them: at most `most`, each once.
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

StageChoice price_stage(const Partition& partition, const Pricing& pricing) {
  const Report& report = partition.report;
  const Decision& decision = *partition.decision;
  const MemoryReport& memory = report.memory;
  const Graph& backward = partition.graphs.backward;
  const std::vector<bool> is_parameter = find_parameter_gradients(decision.joint);
  const DeviceProfile device = device_of(report.settings, decision.joint.graph).profile;
  StageChoice choice;
  choice.saved_bytes = report.totals.held_bytes();
  choice.recomputed_flops = report.totals.recomputed_flops;
  choice.recomputed_ms = report.run_time->recomputed_ms;
  const Graph& forward = partition.graphs.forward;
  const double forward_ms = run_time_ms(forward, device), backward_ms = run_time_ms(backward, device, &forward);
  const double of_operators = forward_ms + backward_ms;
  const double scale = of_operators > 0 ? report.run_time->step_ms / of_operators : 1;
  choice.times.forward_ms = scale * forward_ms;
  choice.times.backward_ms = scale * backward_ms;
  StageBytes& bytes = choice.bytes;
  bytes.parameters = memory.static_bytes;
  bytes.gradients = bytes_of(backward, gradients_of(backward, is_parameter, true));
  price_whole(memory, pricing.holding.has_value(), bytes);
  if (pricing.optimizer) bytes.optimizer = states_of(*pricing.optimizer, partition.graphs).size_bytes;
  if (!pricing.holding) return choice;
  choice.holding = *pricing.holding;
  if (const auto parts = split(partition, device, is_parameter, choice.holding)) {
    choice.times.input_backward_ms = scale * run_time_ms(parts->input, device, &forward);
    choice.times.weight_backward_ms = scale * run_time_ms(parts->weight, device, &forward);
    price_parts(partition, *parts, bytes);
  } else {
    price_one_part(gradients_of(backward, is_parameter, false).empty(), choice.times, bytes);
  }
  return choice;
}

std::vector<StageChoice> stage_choices(const JointGraph& joint, const Settings& given, const PolicyStack& policies,
                                       const Pricing& pricing, std::size_t most) {
  std::vector<std::int64_t> saved;
  for (const TracedPoint& point : trace_frontier(joint, given, estimator_of_frontier(given), policies)) {
    saved.push_back(point.choice.saved_bytes);
  }
  if (saved.empty()) return {price_stage(partition(joint, given, policies), pricing)};
  std::vector<StageChoice> choices;
  for (const std::int64_t limit : evenly_spaced(saved, most)) {
    Settings settings = given;
    settings.activation_memory_budget_solver = frontier_solver();
    settings.saved_bytes_limit = limit_of_bytes(limit);
    const Partition made = partition(joint, settings, policies);
    const auto add = [&](std::optional<Holding> holding) {
      choices.push_back(price_stage(made, {holding, pricing.optimizer}));
      choices.back().limit_bytes = limit;
    };
    add(pricing.holding);
    if (choices.back().holding == Holding::Least) add(Holding::AsNeeded);
  }
  return choices;
}

}  // namespace fxcut
