#include "html/compiled_page.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "html/template.h"
#include "json/json_forms.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

// A key of KINDS in data.js.
std::string_view kind_of(const StepMemory& step, const MemoryBlock& block) {
  if (block.kind == BlockKind::Tangent) return "tangent";
  if (!block.saved_as.empty()) return "saved";
  if (block.last != MemoryBlock::kKept) return "temporary";
  return step.moments[block.first].side == CodeSide::Backward ? "gradient" : "output";
}

// Its place among the moments that change memory; -1 for what outlives the step.
std::int64_t place_of(const std::vector<std::size_t>& changes, std::size_t moment) {
  if (moment == MemoryBlock::kKept) return -1;
  return std::ranges::lower_bound(changes, moment) - changes.begin();
}

Json block_json(const StepMemory& step, const std::vector<std::size_t>& changes, const MemoryBlock& block) {
  return {{"name", block.names.empty() ? "?" : block.names.front()},
          {"kind", kind_of(step, block)},
          {"bytes", *block.size_bytes},
          {"made_by", block.made_by},
          {"source", block.source},
          {"first", place_of(changes, block.first)},
          {"last", place_of(changes, block.last)}};
}

Json blocks_json(const StepMemory& step, const std::vector<std::size_t>& changes) {
  Json blocks = Json::array();
  for (const MemoryBlock& block : step.blocks) {
    if (step.is_counted(block) && block.size_bytes.value_or(0) > 0) blocks.push_back(block_json(step, changes, block));
  }
  return blocks;
}

Json step_json(const StepMemory& step) {
  const std::vector<std::size_t> changes = changes_of(step);
  const auto is_forward = [&](std::size_t moment) { return step.moments[moment].side != CodeSide::Backward; };
  return {{"name", step.name},
          {"file", step.file},
          {"peak_bytes", json_number(step.peak_bytes())},
          {"forward_peak_bytes", json_number(step.forward_peak_bytes)},
          {"between_bytes", json_number(step.between_bytes)},
          {"backward_peak_bytes", json_number(step.backward_peak_bytes)},
          {"operators_peak_bytes", step.operators ? Json(json_number(step.operators->peak_bytes)) : Json(nullptr)},
          {"input_bytes", json_number(step.input_bytes)},
          {"peak_at", std::max<std::int64_t>(place_of(changes, step.peak_at), 0)},
          {"forward_statements", std::ranges::count_if(changes, is_forward)},
          {"side", json_list(changes, [&](std::size_t m) { return name_of(step.moments[m].side); })},
          {"line", json_list(changes, [&](std::size_t m) { return step.moments[m].line; })},
          {"code", json_list(changes, [&](std::size_t m) { return step.moments[m].text; })},
          {"bytes", json_list(changes, [&](std::size_t m) { return json_number(step.curve[m].bytes); })},
          {"blocks", blocks_json(step, changes)},
          {"notes", json_list(step.notes, [](const CodeNote& note) { return Json{{"line", note.line}, {"text", note.text}}; })}};
}

}  // namespace

std::string compiled_page(const CompiledMemory& memory) {
  const Json data = {{"producer", memory.producer}, {"steps", json_list(memory.steps, step_json)}, {"notes", memory.notes}};
  return filled_in(compiled_template(), "memory of compiled code", data_text(data));
}

}  // namespace fxcut
