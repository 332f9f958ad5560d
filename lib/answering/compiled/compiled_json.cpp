#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "compiled/show_compiled.h"
#include "json/json_text.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t as_integer(Int128 bytes) {
  return static_cast<std::int64_t>(std::min<Int128>(bytes, std::numeric_limits<std::int64_t>::max()));
}

template <typename Number>
Json or_null(const std::optional<Number>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json moment_json(const StepMemory& step, std::size_t moment) {
  if (moment >= step.moments.size()) return nullptr;
  return {{"side", name_of(step.moments[moment].side)}, {"line", step.moments[moment].line}};
}

void add_text(Json& json, std::string_view key, const std::string& text) {
  if (!text.empty()) json[std::string(key)] = text;
}

Json block_json(const StepMemory& step, const MemoryBlock& block) {
  Json json = {{"names", block.names},
               {"kind", name_of(block.kind)},
               {"bytes", or_null(block.size_bytes)},
               {"size_from", name_of(block.size_source)},
               {"counted", step.is_counted(block)},
               {"dtype", block.dtype ? Json(block.dtype->name) : Json(nullptr)},
               {"shape", or_null(block.shape)},
               {"stride", or_null(block.stride)}};
  add_text(json, "device", block.device);
  json["made_at"] = moment_json(step, block.first);
  json["freed_at"] = moment_json(step, block.last);
  add_text(json, "made_by", block.made_by);
  add_text(json, "source_nodes", block.source_nodes);
  add_text(json, "original_aten", block.original_aten);
  add_text(json, "node", block.node);
  add_text(json, "source", block.source);
  add_text(json, "saved_as", block.saved_as);
  return json;
}

Json argument_json(const StepMemory& step, const NamedArgument& argument) {
  if (!argument.block) return argument.number;
  const MemoryBlock& block = step.blocks[*argument.block];
  const Dtype* const dtype = argument.dtype ? argument.dtype : block.dtype;
  return {{"shape", argument.shape},
          {"stride", argument.stride},
          {"dtype", dtype ? Json(dtype->name) : Json(nullptr)},
          {"device", block.device},
          {"storage_bytes", or_null(block.size_bytes)}};
}

Json call_json(const StepMemory& step, const OperatorCall& call) {
  Json json = moment_json(step, call.moment);
  json["code"] = step.moments[call.moment].text;
  json["bytes"] = as_integer(step.curve[call.moment].bytes);
  json["arguments"] = Json::object();
  for (const NamedArgument& argument : call.arguments) json["arguments"][argument.name] = argument_json(step, argument);
  if (call.workspace_bytes > 0) json["workspace_bytes"] = call.workspace_bytes;
  return json;
}

Json workspace_json(const StepMemory& step, const OperatorCall& call) {
  return {{"peak_bytes", as_integer(step.bytes_in(call))},
          {"peak_at", moment_json(step, call.moment)},
          {"workspace_bytes", call.workspace_bytes}};
}

Json operators_json(const OperatorsMemory& memory) {
  return {{"peak_bytes", as_integer(memory.peak_bytes)},
          {"forward_peak_bytes", as_integer(memory.forward_peak_bytes)},
          {"between_bytes", as_integer(memory.between_bytes)},
          {"backward_peak_bytes", as_integer(memory.backward_peak_bytes)}};
}

void write_step(const StepMemory& step, JsonText& json) {
  json.member("name", step.name);
  json.member("file", step.file);
  json.member("has_forward", step.has_forward);
  json.member("has_backward", step.has_backward);
  json.member("device", step.device);
  json.member("peak_bytes", as_integer(step.peak_bytes()));
  json.member("peak_at", moment_json(step, step.peak_at));
  if (step.peak_call) json.member("with_workspaces", workspace_json(step, step.calls[*step.peak_call]));
  json.member("forward_peak_bytes", as_integer(step.forward_peak_bytes));
  json.member("between_bytes", as_integer(step.between_bytes));
  json.member("backward_peak_bytes", as_integer(step.backward_peak_bytes));
  if (step.operators) json.member("operators", operators_json(*step.operators));
  json.member("input_bytes", as_integer(step.input_bytes));
  json.member("unknown_blocks", step.unknown_blocks);
  json.list("at_peak", step.at_peak, [](std::size_t block) { return block; });
  json.list("blocks", step.blocks, [&](const MemoryBlock& block) { return block_json(step, block); });
  json.list("curve", changes_of(step), [&](std::size_t m) {
    Json point = moment_json(step, m);
    point["bytes"] = as_integer(step.curve[m].bytes);
    point["bytes_after"] = as_integer(step.curve[m].bytes_after);
    return point;
  });
  json.list("calls", step.calls, [&](const OperatorCall& call) { return call_json(step, call); });
  json.list("notes", step.notes, [](const CodeNote& note) { return Json{{"line", note.line}, {"text", note.text}}; });
}

Json recorded_block_json(const RecordedBlock& block, const MatchedBlock& match) {
  Json json = {{"bytes", block.size_bytes}, {"address", block.address}, {"kind", name_of(match.kind)}};
  if (match.is_planned()) json["planned"] = {{"step", match.step}, {"block", match.block}};
  if (match.line != 0) json["line"] = match.line;
  if (match.frame) {
    const StackFrame& frame = block.frames[*match.frame];
    json["frame"] = {{"filename", frame.file}, {"line", frame.line}, {"name", frame.function}};
  }
  return json;
}

void write_recorded(const RecordedMemory& memory, JsonText& json) {
  json.member("file", memory.file);
  json.member("device", memory.peak.device);
  json.member("peak_bytes", as_integer(memory.peak.bytes));
  json.member("reserved_bytes", as_integer(memory.peak.reserved_bytes));
  std::size_t number = 0;
  json.list("blocks", memory.peak.blocks,
            [&](const RecordedBlock& block) { return recorded_block_json(block, memory.matches[number++]); });
}

}  // namespace

std::string compiled_memory_json(const CompiledMemory& memory) {
  std::string text;
  const TextSink sink = [&](std::string_view piece) { text += piece; };
  JsonText json(sink);
  json.member("format", "fxcut-compiled-memory");
  json.member("version", 1);
  json.member("producer", memory.producer);
  json.objects("steps", memory.steps, write_step);
  json.list("notes", memory.notes, [](const std::string& note) { return Json(note); });
  if (memory.recorded) json.object("recorded", [&] { write_recorded(*memory.recorded, json); });
  json.finish();
  return text;
}

}  // namespace fxcut
