#include "json/trace_events.h"

#include <nlohmann/json.hpp>

namespace fxcut {

nlohmann::ordered_json trace_process(std::size_t process, std::string_view name) {
  return {{"ph", "M"}, {"pid", process}, {"name", "process_name"}, {"args", {{"name", name}}}};
}

nlohmann::ordered_json trace_bytes(std::size_t process, const nlohmann::ordered_json& microseconds, std::int64_t bytes) {
  return {{"ph", "C"}, {"pid", process}, {"ts", microseconds}, {"name", "bytes"}, {"args", {{"bytes", bytes}}}};
}

}  // namespace fxcut
