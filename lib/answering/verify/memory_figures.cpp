
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "json/json_forms.h"
#include "verify/counted_memory.h"

namespace fxcut {
namespace {

using PlacedFigures = std::vector<std::pair<std::string, ReportJson>>;

void add_node(const std::string& place, const RunningNode& running, PlacedFigures& figures) {
  figures.emplace_back(place + "/graph", running.in_backward ? "backward" : "forward");
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

}  // namespace

PlacedFigures memory_figures(const JointGraph& joint, const GraphPair& sides, const std::vector<CrossingValue>& crossings) {
  const CountedMemory memory = count_memory(joint, sides, crossings);
  const auto border = memory.bytes.begin() + static_cast<std::ptrdiff_t>(memory.num_forward_steps);
  const Wide forward_peak = *std::max_element(memory.bytes.begin(), border);
  const Wide backward_peak = *std::max_element(border, memory.bytes.end());
  const auto peak = std::max_element(memory.bytes.begin(), memory.bytes.end());
  const auto peak_step = static_cast<std::size_t>(peak - memory.bytes.begin());
  PlacedFigures figures = {{"/memory/peak_bytes", json_number(*peak)},
                           {"/memory/forward_peak_bytes", json_number(forward_peak)},
                           {"/memory/between_bytes", json_number(memory.between_bytes)},
                           {"/memory/backward_peak_bytes", json_number(backward_peak)},
                           {"/memory/static_bytes", memory.bytes_of(CountedBuffer::Owner::Parameters)},
                           {"/memory/input_bytes", memory.bytes_of(CountedBuffer::Owner::Inputs)}};
  add_node("/memory/peak_at", memory.steps[peak_step], figures);
  std::size_t row = 0;
  for (const CountedBuffer* buffer : buffers_at(peak_step, memory)) {
    const std::string place = fmt::format("/memory/at_peak/{}", row++);
    figures.emplace_back(place + "/bytes", buffer->bytes);
    add_node(place + "/made_at", buffer->maker, figures);
    if (buffer->last_step == CountedBuffer::kToTheEnd) continue;
    add_node(place + "/last_used_at", memory.steps[buffer->last_step], figures);
  }
  return figures;
}

}  // namespace fxcut
