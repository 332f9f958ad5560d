#include "report/describe_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string_view>

#include "report/code_memory.h"
#include "text/escaping.h"

namespace fxcut {
namespace {

GraphPlace place_of(Side side, NodeId id, const RunningGraphs& graphs) {
  const Node& node = graphs.node(side, id);
  GraphPlace place;
  place.graph = name_of(graphs.phase(side, id));
  place.node = node.name;
  place.op = operator_of(node);
  if (node.provenance) place.provenance = *node.provenance;
  return place;
}

GraphPlace place_of(const Step& step, const RunningGraphs& graphs) { return place_of(step.side, step.node, graphs); }

bool is_of_forward(const Step& step, const RunningGraphs& graphs) {
  return graphs.phase(step.side, step.node) == StepPhase::Forward;
}

// The most bytes in use where the backward, or one of its regions, starts.
Int128 find_between(const MemoryProfile& profile, const RunningGraphs& graphs) {
  Int128 most = 0;
  for (std::size_t s = 0; s + 1 < profile.steps.size(); ++s) {
    const bool is_border = is_of_forward(profile.steps[s], graphs) && !is_of_forward(profile.steps[s + 1], graphs);
    if (is_border) most = std::max(most, profile.curve[s].bytes_after);
  }
  return most;
}

std::vector<MemoryHeld> describe_held(const MemoryProfile& profile, const RunningGraphs& graphs) {
  const MemoryKinds kinds(graphs);
  std::vector<MemoryHeld> all;
  for (const Allocation& allocation : profile.at_peak) {
    MemoryHeld& held = all.emplace_back();
    held.kind = kinds.of(allocation, profile.steps);
    held.made_at = place_of(allocation.side, allocation.node, graphs);
    held.size_bytes = allocation.size_bytes;
    if (allocation.last_step == Allocation::kKeptByCaller) continue;
    held.last_used_at = place_of(profile.steps[allocation.last_step], graphs);
  }
  return all;
}

std::vector<MemoryHeld> describe_at_peak(const PredictedMemory& memory, const GraphPair& graphs) {
  const RunningGraphs running(graphs);
  std::vector<MemoryHeld> all;
  for (const CodeAllocation& held : code_allocations(memory, graphs)) {
    if (memory.peak_step < held.first_step || memory.peak_step > held.last_step) continue;
    all.push_back({place_of(held.side, held.node, running), held.size_bytes, {}, held.kind});
  }
  std::ranges::stable_sort(all, std::greater(), &MemoryHeld::size_bytes);
  return all;
}

std::optional<WorkspaceReport> describe_workspaces(const PredictedMemory& memory, const GraphPair& graphs) {
  const PeakWithWorkspace &forward = memory.forward_with_workspaces, &backward = memory.backward_with_workspaces;
  const bool in_backward = backward.peak_bytes >= forward.peak_bytes;
  const PeakWithWorkspace& highest = in_backward ? backward : forward;
  if (highest.peak_bytes <= memory.peak_bytes()) return std::nullopt;
  const GraphPlace place = place_of(in_backward ? Side::Backward : Side::Forward, highest.node, RunningGraphs(graphs));
  return WorkspaceReport{highest.peak_bytes, place, highest.workspace_bytes};
}

}  // namespace

std::string_view name_of(Side side) { return side == Side::Forward ? "forward" : "backward"; }

MemoryReport describe_memory(const MemoryProfile& profile, const RunningGraphs& graphs) {
  MemoryReport memory;
  memory.peak_bytes = profile.peak_bytes();
  memory.peak_at = place_of(profile.steps[profile.peak_step], graphs);
  memory.static_bytes = profile.static_bytes;
  memory.input_bytes = profile.input_bytes;
  for (std::size_t s = 0; s < profile.steps.size(); ++s) {
    const StepPhase phase = graphs.phase(profile.steps[s].side, profile.steps[s].node);
    if (phase == StepPhase::Optimizer) continue;
    Int128& peak_bytes = phase == StepPhase::Forward ? memory.forward_peak_bytes : memory.backward_peak_bytes;
    peak_bytes = std::max(peak_bytes, profile.curve[s].bytes);
  }
  memory.between_bytes = find_between(profile, graphs);
  memory.at_peak = describe_held(profile, graphs);
  return memory;
}

PredictedMemoryReport describe_predicted_memory(const PredictedMemory& memory, const GraphPair& graphs) {
  const Side side = memory.peaks_in_backward() ? Side::Backward : Side::Forward;
  const NodeId node = memory.peaks_in_backward() ? memory.backward_peak_node : memory.forward_peak_node;
  return {memory.peak_bytes(), place_of(side, node, RunningGraphs(graphs)), memory.forward_peak_bytes, memory.between_bytes,
          memory.backward_peak_bytes, describe_workspaces(memory, graphs), describe_at_peak(memory, graphs)};
}

std::string memory_curve_csv(const MemoryProfile& profile, const RunningGraphs& graphs) {
  std::string text = "step,graph,node,operator,bytes,bytes_after\n";
  for (std::size_t s = 0; s < profile.steps.size(); ++s) {
    const Step& step = profile.steps[s];
    const Node& node = graphs.node(step.side, step.node);
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}\n", s, name_of(graphs.phase(step.side, step.node)),
                   csv_field(node.name), csv_field(operator_of(node)), profile.curve[s].bytes, profile.curve[s].bytes_after);
  }
  return text;
}

}  // namespace fxcut
