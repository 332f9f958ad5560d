#include "report/describe_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "text/escaping.h"

namespace fxcut {
namespace {

GraphPlace place_of(Side side, NodeId id, const GraphPair& graphs) {
  const Node& node = (side == Side::Forward ? graphs.forward : graphs.backward)[id];
  GraphPlace place;
  place.graph = name_of(side);
  place.node = node.name;
  place.op = operator_of(node);
  if (node.provenance) place.provenance = *node.provenance;
  return place;
}

}  // namespace

std::string_view name_of(Side side) { return side == Side::Forward ? "forward" : "backward"; }

MemoryReport describe_memory(const MemoryProfile& profile, const GraphPair& graphs) {
  MemoryReport memory;
  memory.peak_bytes = profile.peak_bytes();
  const Step& peak = profile.steps[profile.peak_step];
  memory.peak_at = place_of(peak.side, peak.node, graphs);
  memory.static_bytes = profile.static_bytes;
  memory.input_bytes = profile.input_bytes;
  for (std::size_t s = 0; s < profile.steps.size(); ++s) {
    const bool is_forward = profile.steps[s].side == Side::Forward;
    Wide& peak_bytes = is_forward ? memory.forward_peak_bytes : memory.backward_peak_bytes;
    peak_bytes = std::max(peak_bytes, profile.curve[s].bytes);
    if (is_forward) memory.between_bytes = profile.curve[s].bytes_after;  // the last one stays
  }
  const MemoryKinds kinds(graphs);
  for (const Allocation& allocation : profile.at_peak) {
    MemoryHeld& held = memory.at_peak.emplace_back();
    held.kind = kinds.of(allocation, profile.steps);
    held.made_at = place_of(allocation.side, allocation.node, graphs);
    held.size_bytes = allocation.size_bytes;
    if (allocation.last_step == Allocation::kKeptByCaller) continue;
    const Step& last = profile.steps[allocation.last_step];
    held.last_used_at = place_of(last.side, last.node, graphs);
  }
  return memory;
}

PredictedMemoryReport describe_predicted_memory(const PredictedMemory& memory, const GraphPair& graphs) {
  const Side side = memory.peaks_in_backward() ? Side::Backward : Side::Forward;
  const NodeId node = memory.peaks_in_backward() ? memory.backward_peak_node : memory.forward_peak_node;
  return {memory.peak_bytes(), place_of(side, node, graphs), memory.forward_peak_bytes, memory.between_bytes,
          memory.backward_peak_bytes};
}

std::string memory_curve_csv(const MemoryProfile& profile, const GraphPair& graphs) {
  std::string text = "step,graph,node,operator,bytes,bytes_after\n";
  for (std::size_t s = 0; s < profile.steps.size(); ++s) {
    const Step& step = profile.steps[s];
    const Node& node = (step.side == Side::Forward ? graphs.forward : graphs.backward)[step.node];
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}\n", s, name_of(step.side), csv_field(node.name),
                   csv_field(operator_of(node)), profile.curve[s].bytes, profile.curve[s].bytes_after);
  }
  return text;
}

}  // namespace fxcut
