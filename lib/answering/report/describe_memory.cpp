#include "report/describe_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string_view>
#include <unordered_set>

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
Wide find_between(const MemoryProfile& profile, const RunningGraphs& graphs) {
  Wide most = 0;
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

// Tells what of the forward's outputs its caller takes, by names and storages.
class CallersOutputs {
 public:
  explicit CallersOutputs(const GraphPair& graphs) {
    std::unordered_set<std::string_view> saved;
    for (const Node& node : graphs.backward.nodes) {
      if (node.is_placeholder()) saved.insert(node.name);
    }
    for (const OutputLeaf& leaf : output_leaves(graphs.forward)) {
      if (!leaf.node || saved.contains(graphs.forward[*leaf.node].name)) continue;
      const Node& node = graphs.forward[*leaf.node];
      names_.insert(node.name);
      if (node.storage()) storages_.insert(*node.storage());
    }
  }

  bool has(const Node& node) const {
    return names_.contains(node.name) || (node.storage() && storages_.contains(*node.storage()));
  }

 private:
  std::unordered_set<std::string_view> names_;
  std::unordered_set<std::int64_t> storages_;
};

MemoryKind kind_in_backward(const HeldBuffer& held, const Node& node, const MemoryKinds& kinds) {
  if (held.is_input) return is_tangent(node) ? MemoryKind::Tangent : MemoryKind::Saved;
  if (held.is_output) return MemoryKind::Gradient;
  return kinds.is_recomputed(node) ? MemoryKind::Recomputed : MemoryKind::Temporary;
}

// Empty where they do not add up to the peak: where saved values that the backward takes for several are one in the forward.
std::vector<MemoryHeld> describe_buffers(const PredictedMemory& memory, const GraphPair& graphs) {
  const RunningGraphs running(graphs);
  const MemoryKinds kinds(running);
  const CallersOutputs outputs(graphs);
  const bool in_backward = memory.peaks_in_backward();
  const Side side = in_backward ? Side::Backward : Side::Forward;
  std::vector<MemoryHeld> all;
  Wide rest = memory.peak_bytes();
  for (const HeldBuffer& buffer : memory.at_peak) {
    const Node& node = running.node(side, buffer.node);
    const MemoryKind kind = in_backward         ? kind_in_backward(buffer, node, kinds)
                            : !buffer.is_output ? MemoryKind::Temporary
                            : outputs.has(node) ? MemoryKind::Output
                                                : MemoryKind::Saved;
    all.push_back({place_of(side, buffer.node, running), buffer.bytes, {}, kind});
    rest -= buffer.bytes;
  }
  if (rest < 0) return {};
  const auto output = node_id(graphs.forward.size() - 1);
  const auto of_outputs = static_cast<std::int64_t>(rest);
  if (rest > 0) all.push_back({place_of(Side::Forward, output, running), of_outputs, {}, MemoryKind::Output});
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
    Wide& peak_bytes = phase == StepPhase::Forward ? memory.forward_peak_bytes : memory.backward_peak_bytes;
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
          memory.backward_peak_bytes, describe_workspaces(memory, graphs), describe_buffers(memory, graphs)};
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
