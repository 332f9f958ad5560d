#include "cli/pass_clock.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "text/quantities.h"

namespace fxcut {

PassClock::Reading PassClock::read() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  constexpr std::int64_t kUnit = 1024;  // of ru_maxrss on Linux, in bytes
  return {Clock::now(), seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss * kUnit};
}

void PassClock::done(std::string_view pass) {
  const Reading now = read();
  auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& known) { return known.pass == pass; });
  if (row == rows_.end()) row = rows_.insert(row, {std::string(pass)});
  row->seconds += std::chrono::duration<double>(now.time - last_.time).count();
  row->cpu_seconds += now.cpu_seconds - last_.cpu_seconds;
  row->peak_bytes = now.peak_bytes;
  last_ = now;
}

PassClock::Row PassClock::total() const {
  Row total{"total", 0, 0, last_.peak_bytes};
  for (const Row& row : rows_) {
    total.seconds += row.seconds;
    total.cpu_seconds += row.cpu_seconds;
  }
  return total;
}

std::string PassClock::table() const {
  const Row sum = total();
  constexpr int kNameColumns = 21;  // of the longest name of a pass
  std::string text = fmt::format("{:<{}}  SECONDS  SHARE  CPU SECONDS  PEAK SO FAR\n", "STAGE", kNameColumns);
  const auto add = [&](const Row& row) {
    text += fmt::format("{:<{}}  {:>7.3f}  {:>3.0f} %  {:>11.3f}  {:>11}\n", row.pass, kNameColumns, row.seconds,
                        100 * row.seconds / std::max(sum.seconds, 1e-9), row.cpu_seconds, show_bytes(row.peak_bytes));
  };
  for (const Row& row : rows_) add(row);
  add(sum);
  return text;
}

std::string PassClock::json() const {
  const auto show = [](const Row& row) -> nlohmann::ordered_json {
    return {{"stage", row.pass},
            {"seconds", row.seconds},
            {"cpu_seconds", row.cpu_seconds},
            {"peak_bytes", row.peak_bytes}};
  };
  nlohmann::ordered_json json = {{"format", "fxcut-stage-times"}, {"version", 1}};
  json["stages"] = nlohmann::ordered_json::array();
  for (const Row& row : rows_) json["stages"].push_back(show(row));
  json["total"] = show(total());
  return json.dump() + "\n";
}

}  // namespace fxcut
