#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "classify/host_copies.h"
#include "json/json_forms.h"
#include "verify/calls_by_name.h"
#include "verify/counted_memory.h"

namespace fxcut {
namespace {

std::string_view name_in_report(StepPhase phase) {
  constexpr std::string_view kNames[] = {"forward", "backward", "optimizer"};
  return kNames[static_cast<std::size_t>(phase)];
}

void add_node(const std::string& place, const RunningNode& running, PlacedFigures& figures) {
  figures.emplace_back(place + "/graph", name_in_report(running.phase));
  figures.emplace_back(place + "/node", running.node->name);
}

// The buffers that are in use at the step, largest first.
std::vector<const CountedBuffer*> buffers_at(std::size_t step, const CountedMemory& memory) {
  std::vector<const CountedBuffer*> used;
  for (const CountedBuffer& buffer : memory.buffers) {
    const bool is_there = buffer.first_step <= step && step <= buffer.last_step;
    if (is_there && buffer.owner == CountedBuffer::Owner::Step && buffer.bytes > 0) used.push_back(&buffer);
  }
  std::stable_sort(used.begin(), used.end(), [](const auto* a, const auto* b) { return a->bytes > b->bytes; });
  return used;
}

// Whether it is the name of a copy of one of the calls.
bool is_repeated(std::string_view name, const CallsByName& calls) {
  return !calls.contains(name) && calls.contains(name_without_suffix(name));
}

// The purpose of the buffer, in the report's words. `is_recomputed`: whether a call of the backward is recomputed.
std::string kind_of(const CountedBuffer& buffer, const CountedMemory& memory, const auto& is_recomputed) {
  const bool to_the_end = buffer.last_step == CountedBuffer::kToTheEnd;
  const auto last_phase = [&] { return memory.steps[buffer.last_step].phase; };
  if (buffer.maker.phase == StepPhase::Optimizer) return "optimizer";
  if (buffer.maker.phase == StepPhase::Forward) {
    if (to_the_end) return "output";
    return last_phase() == StepPhase::Forward ? "temporary" : "saved";
  }
  const Node& maker = *buffer.maker.node;
  if (maker.is_placeholder()) return "tangent";
  if (to_the_end) return "gradient";
  if (last_phase() == StepPhase::Optimizer) return "optimizer";
  if (!maker.is_call()) return "temporary";
  if (is_host_copy(maker)) return "reloaded";
  return is_recomputed(maker) ? "recomputed" : "temporary";
}

// The peak while nodes of the phase run.
Int128 peak_of(const CountedMemory& memory, StepPhase phase) {
  Int128 peak = 0;
  for (std::size_t s = 0; s < memory.steps.size(); ++s) {
    if (memory.steps[s].phase == phase) peak = std::max(peak, memory.bytes[s]);
  }
  return peak;
}

PlacedFigures figures_of(const CountedMemory& memory, const auto& is_recomputed) {
  const auto peak = std::max_element(memory.bytes.begin(), memory.bytes.end());
  const auto peak_step = static_cast<std::size_t>(peak - memory.bytes.begin());
  PlacedFigures figures = {{"/memory/peak_bytes", json_number(*peak)},
                           {"/memory/forward_peak_bytes", json_number(peak_of(memory, StepPhase::Forward))},
                           {"/memory/between_bytes", json_number(memory.between_bytes())},
                           {"/memory/backward_peak_bytes", json_number(peak_of(memory, StepPhase::Backward))},
                           {"/memory/static_bytes", memory.bytes_of(CountedBuffer::Owner::Parameters)},
                           {"/memory/input_bytes", memory.bytes_of(CountedBuffer::Owner::Inputs)}};
  add_node("/memory/peak_at", memory.steps[peak_step], figures);
  std::size_t row = 0;
  for (const CountedBuffer* buffer : buffers_at(peak_step, memory)) {
    const std::string place = fmt::format("/memory/at_peak/{}", row++);
    figures.emplace_back(place + "/bytes", buffer->bytes);
    add_node(place + "/made_at", buffer->maker, figures);
    figures.emplace_back(place + "/kind", kind_of(*buffer, memory, is_recomputed));
    if (buffer->last_step == CountedBuffer::kToTheEnd) continue;
    add_node(place + "/last_used_at", memory.steps[buffer->last_step], figures);
  }
  return figures;
}

}  // namespace

PlacedFigures memory_figures(const JointGraph& joint, const GraphPair& sides, const std::vector<CrossingValue>& crossings) {
  const CallsByName forward_calls = calls_of(sides.forward);
  const CallsByName joint_calls = calls_of(joint.graph);
  return figures_of(count_memory(joint, sides, crossings), [&](const Node& node) {
    return forward_calls.contains(node.name) || is_repeated(node.name, joint_calls);
  });
}

PlacedFigures memory_figures(const JointGraph& before, const Graph& rewritten) {
  const CallsByName calls = calls_of(before.graph);
  const CountedMemory memory = count_memory(before, rewritten);
  PlacedFigures figures = figures_of(memory, [&](const Node& node) {
    const std::string_view name = node.name;
    return is_repeated(name, calls);
  });
  const auto operators = std::ranges::count_if(memory.steps, [](const RunningNode& running) {
    return running.phase == StepPhase::Optimizer && running.node->is_call();
  });
  if (operators == 0) return figures;
  figures.emplace_back("/step/optimizer/operators", operators);
  figures.emplace_back("/step/optimizer/peak_bytes", json_number(peak_of(memory, StepPhase::Optimizer)));
  return figures;
}

}  // namespace fxcut
