#include "pipelining/pipeline_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "json/json_forms.h"
#include "text/printable.h"

namespace fxcut {
namespace {

using TraceJson = nlohmann::ordered_json;

constexpr double kMicrosecondsPerMs = 1000;

std::string_view name_of_kind(ActionKind kind) {
  const auto found = std::ranges::find(kActionKinds, kind, &std::pair<std::string_view, ActionKind>::second);
  return found->first;
}

TraceJson slice_of(const Action& action, const TimedAction& time, std::int64_t bytes, std::size_t rank) {
  TraceJson slice = {{"ph", "X"},
                     {"pid", rank},
                     {"tid", 0},
                     {"ts", time.begin_ms * kMicrosecondsPerMs},
                     {"dur", (time.end_ms - time.begin_ms) * kMicrosecondsPerMs},
                     {"name", to_string(action)},
                     {"cat", name_of_kind(action.kind)},
                     {"args", {{"bytes", bytes}}}};
  if (action.kind != ActionKind::Overlap) slice["args"]["stage"] = action.stage;
  if (action.microbatch) slice["args"]["microbatch"] = *action.microbatch;
  return slice;
}

TraceJson counter_at(double ms, std::int64_t bytes, std::size_t rank) {
  return {{"ph", "C"}, {"pid", rank}, {"ts", ms * kMicrosecondsPerMs}, {"name", "bytes"}, {"args", {{"bytes", bytes}}}};
}

}  // namespace

std::string pipeline_trace(const PipelineReport& report) {
  TraceJson events = TraceJson::array();
  for (std::size_t rank = 0; rank < report.schedule.size(); ++rank) {
    const RankMemory& memory = report.memory[rank];
    const std::string name = fmt::format("rank {} of {}", rank, printable(report.schedule_name));
    events.push_back({{"ph", "M"}, {"pid", rank}, {"name", "process_name"}, {"args", {{"name", name}}}});
    events.push_back(counter_at(0, memory.parameters + memory.optimizer, rank));
    for (std::size_t i = 0; i < memory.bytes.size(); ++i) {
      const TimedAction& time = report.step.actions[rank][i];
      if (!report.schedule[rank][i].computes()) continue;
      events.push_back(slice_of(report.schedule[rank][i], time, memory.bytes[i], rank));
      events.push_back(counter_at(time.begin_ms, memory.bytes[i], rank));
      events.push_back(counter_at(time.end_ms, memory.after[i], rank));
    }
  }
  return json_file({{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}});
}

}  // namespace fxcut
