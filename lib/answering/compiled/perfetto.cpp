#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "compiled/show_compiled.h"
#include "json/json_text.h"
#include "json/trace_events.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

// "b" and "e" begin and end a slice of its own track.
void add_step(const StepMemory& step, std::size_t number, std::vector<Json>& events) {
  events.push_back(trace_process(number, step.name));
  for (std::size_t m = 0; m < step.curve.size(); ++m) {
    const auto bytes = static_cast<std::int64_t>(std::min<Int128>(step.curve[m].bytes, std::numeric_limits<std::int64_t>::max()));
    events.push_back(trace_bytes(number, m, bytes));
  }
  for (std::size_t b = 0; b < step.blocks.size(); ++b) {
    const MemoryBlock& block = step.blocks[b];
    if (!step.is_counted(block) || block.size_bytes.value_or(0) == 0) continue;
    const std::string name = block.names.empty() ? block.made_by : block.names.front();
    const Json slice = {{"cat", name_of(block.kind)}, {"pid", number}, {"tid", 0}, {"id", b}, {"name", name}};
    Json begin = slice, end = slice;
    begin["ph"] = "b";
    begin["ts"] = block.first;
    begin["args"] = {{"bytes", *block.size_bytes}, {"made_by", block.made_by}, {"node", block.node}, {"source", block.source}};
    end["ph"] = "e";
    end["ts"] = std::min(block.last, step.moments.size());
    events.push_back(std::move(begin));
    events.push_back(std::move(end));
  }
}

}  // namespace

std::string compiled_memory_perfetto(const CompiledMemory& memory) {
  std::vector<Json> events;
  for (std::size_t s = 0; s < memory.steps.size(); ++s) add_step(memory.steps[s], s, events);
  std::string text;
  const TextSink sink = [&](std::string_view piece) { text += piece; };
  JsonText json(sink);
  json.list("traceEvents", events, [](const Json& event) { return event; });
  json.finish();
  return text;
}

}  // namespace fxcut
