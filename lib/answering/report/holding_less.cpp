#include "report/holding_less.h"

#include <fmt/format.h>

#include <cmath>

#include "text/printable.h"
#include "text/quantities.h"
#include "text/table.h"

namespace fxcut {
namespace {

std::string show_limit(const WayOut& way) { return fmt::format("--saved-bytes {}B", way.held_bytes); }

// `ms` as a share of the reported step's time.
std::string show_share_of(double ms, const Report& report) {
  if (!report.run_time || report.run_time->step_ms <= 0) return "";
  const double percent = 100 * ms / report.run_time->step_ms;
  return fmt::format("{:+.{}f} %", percent, std::abs(percent) < 9.95 ? 1 : 0);
}

std::string show_ways(const HoldingLess& less, const Report& report) {
  if (less.ways.empty()) return "";
  std::vector<std::vector<std::string>> rows = {
      {report.memory.compiled ? "COMPILED" : "PEAK", "HELD", "TIME", "", less.command + " ..."}};
  const std::string peak = show_scaled(report.memory.counted_peak_bytes(), "B");
  rows.push_back({peak, show_bytes(report.totals.saved_bytes_not_static), "", "", "as it is"});
  for (const WayOut& way : less.ways) {
    rows.push_back({show_scaled(way.peak_bytes, "B"), show_bytes(way.held_bytes), show_time_change(way.more_ms),
                    show_share_of(way.more_ms, report), "... " + show_limit(way)});
  }
  const std::string more = cut_rows(rows);
  return show_columns(rows, "rrrrl") + more;
}

}  // namespace

std::string show_holding_less(const HoldingLess& less, const Report& report) {
  if (less.ways.empty() && less.advice.empty()) return "";
  std::string text = "\nLESS MEMORY\n" + show_ways(less, report);
  for (const Advice& one : less.advice) text += fmt::format("{}:\n    {}\n", printable(one.effect), printable(one.command));
  return text;
}

std::string command_of(const HoldingLess& less, const WayOut& way) { return less.command + " " + show_limit(way); }

std::string show_more_time(double more_ms, const Report& report) {
  const std::string share = show_share_of(more_ms, report);
  return show_time_change(more_ms) + (share.empty() ? "" : fmt::format(" ({})", share));
}

}  // namespace fxcut
