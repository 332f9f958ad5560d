// A pipeline's step for trace viewers.
#pragma once

#include <string>

#include "stage/pipeline_report.h"

namespace fxcut {

// In the trace event format (json/trace_events.h): a process per rank, with a slice per action (times in microseconds) and the
// counter "bytes": the most while an action runs, and what stays between two. Parts of an overlap are one slice. JSON, with a
// final newline.
std::string pipeline_trace(const PipelineReport& report);

}  // namespace fxcut
