// A pipeline's step for trace viewers.
#pragma once

#include <string>

#include "pipelining/pipeline_report.h"

namespace fxcut {

// The trace event format of Chrome, which Perfetto (ui.perfetto.dev) and chrome://tracing open: a process a rank, with a slice an
// action (times in microseconds) and the counter "bytes", the most while an action runs and what stays between two. Parts of an
// overlap are one slice. JSON, with a final newline.
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
std::string pipeline_trace(const PipelineReport& report);

}  // namespace fxcut
