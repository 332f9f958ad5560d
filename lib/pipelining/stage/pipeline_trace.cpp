#include "stage/pipeline_trace.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "json/json_forms.h"
#include "json/trace_events.h"
#include "text/printable.h"

namespace fxcut {
namespace {

using TraceJson = nlohmann::ordered_json;

constexpr double kMicrosecondsPerMs = 1000;

TraceJson slice_of(const Action& action, const TimedAction& time, std::int64_t bytes, std::size_t rank) {
  TraceJson slice = {{"ph", "X"},
                     {"pid", rank},
                     {"tid", 0},
                     {"ts", time.begin_ms * kMicrosecondsPerMs},
                     {"dur", (time.end_ms - time.begin_ms) * kMicrosecondsPerMs},
                     {"name", to_string(action)},
                     {"cat", name_of(action.kind)},
                     {"args", {{"bytes", bytes}}}};
  if (action.kind != ActionKind::Overlap) slice["args"]["stage"] = action.stage;
  if (action.microbatch) slice["args"]["microbatch"] = *action.microbatch;
  return slice;
}

}  // namespace

std::string pipeline_trace(const PipelineReport& report) {
  TraceJson events = TraceJson::array();
  for (std::size_t rank = 0; rank < report.schedule.size(); ++rank) {
    const RankMemory& memory = report.memory[rank];
    const std::string name = fmt::format("rank {} of {}", rank, printable(report.schedule_name));
    events.push_back(trace_process(rank, name));
    events.push_back(trace_bytes(rank, 0.0, memory.parameters + memory.optimizer));
    for (std::size_t i = 0; i < memory.bytes.size(); ++i) {
      const TimedAction& time = report.step.actions[rank][i];
      if (!report.schedule[rank][i].computes()) continue;
      events.push_back(slice_of(report.schedule[rank][i], time, memory.bytes[i], rank));
      events.push_back(trace_bytes(rank, time.begin_ms * kMicrosecondsPerMs, memory.bytes[i]));
      events.push_back(trace_bytes(rank, time.end_ms * kMicrosecondsPerMs, memory.after[i]));
    }
  }
  return json_file({{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}});
}

}  // namespace fxcut
