#include "text/quantities.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "text/text_style.h"

namespace fxcut {

namespace {

constexpr double kThousand = 1000, kBinaryThousand = 1024;

// The value divided by `base` until it is below that, at most `most` times, and how many times.
std::pair<std::string, std::size_t> scaled(double value, std::size_t most, double base = kThousand) {
  std::size_t times = 0;
  for (; value >= base - 0.5 && times < most; ++times) value /= base;
  return {fmt::format("{:.{}f}", value, times > 0 && value < 99.95 ? 1 : 0), times};
}

}  // namespace

std::string show_scaled(double value, std::string_view unit) {
  constexpr std::array<std::string_view, 7> prefixes = {"", "k", "M", "G", "T", "P", "E"};
  constexpr std::array<std::string_view, 7> binary = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  if (unit == "B" && text_style().binary_units) {
    const auto [number, power] = scaled(value, binary.size() - 1, kBinaryThousand);
    return fmt::format("{} {}B", number, binary[power]);
  }
  const auto [number, power] = scaled(value, prefixes.size() - 1);
  return fmt::format("{} {}{}", number, prefixes[power], unit);
}

std::string show_count(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string show_bytes(std::int64_t bytes) { return show_scaled(static_cast<double>(bytes), "B"); }

std::string show_bytes_apart(double bytes, double other) {
  const std::string shown = show_scaled(bytes, "B");
  return bytes == other || shown != show_scaled(other, "B") ? shown : fmt::format("{:.0f} B", bytes);
}

std::string show_time(double ms) {
  constexpr std::array<std::string_view, 4> units = {"ns", "us", "ms", "s"};
  constexpr double kNanosecondsPerMs = 1e6;
  const auto [number, unit] = scaled(ms * kNanosecondsPerMs, units.size() - 1);
  return fmt::format("{} {}", number, units[unit]);
}

std::string show_time_change(double ms) { return fmt::format("{}{}", ms < 0 ? '-' : '+', show_time(std::abs(ms))); }

std::string show_cost(double cost, std::string_view unit) {
  return unit == "ms" ? show_time(cost) : show_scaled(cost, unit);
}

}  // namespace fxcut
