#include "text/quantities.h"

#include <fmt/format.h>

#include <array>

namespace fxcut {

std::string show_scaled(double value, std::string_view unit) {
  constexpr std::array<std::string_view, 7> prefixes = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t power = 0;
  while (value >= 999.5 && power + 1 < prefixes.size()) {
    value /= 1000;
    ++power;
  }
  if (power == 0) return fmt::format("{:.0f} {}", value, unit);
  return fmt::format("{:.{}f} {}{}", value, value < 99.95 ? 1 : 0, prefixes[power], unit);
}

std::string show_count(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string show_bytes(std::int64_t bytes) { return show_scaled(static_cast<double>(bytes), "B"); }

std::string show_time(double ms) {
  constexpr std::array<std::string_view, 4> units = {"ns", "us", "ms", "s"};
  constexpr double kNanosecondsPerMs = 1e6;
  double value = ms * kNanosecondsPerMs;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  if (unit == 0) return fmt::format("{:.0f} ns", value);
  return fmt::format("{:.{}f} {}", value, value < 99.95 ? 1 : 0, units[unit]);
}

std::string show_cost(double cost, std::string_view unit) {
  return unit == "ms" ? show_time(cost) : show_scaled(cost, unit);
}

}  // namespace fxcut
