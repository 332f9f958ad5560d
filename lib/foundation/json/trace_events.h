// Events of the trace event format of Chrome, which Perfetto (ui.perfetto.dev) and chrome://tracing open.
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace fxcut {

// Names a process ("M"), whose events are shown together.
nlohmann::ordered_json trace_process(std::size_t process, std::string_view name);

// The process's counter "bytes" ("C") from then on. `microseconds`: a number.
nlohmann::ordered_json trace_bytes(std::size_t process, const nlohmann::ordered_json& microseconds, std::int64_t bytes);

}  // namespace fxcut
