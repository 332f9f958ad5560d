#include "settings/memory_limit.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace fxcut {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};

constexpr std::array<Unit, 16> kUnits = {{{"", 1},
                                          {"B", 1},
                                          {"kB", 1e3},
                                          {"KB", 1e3},
                                          {"MB", 1e6},
                                          {"GB", 1e9},
                                          {"TB", 1e12},
                                          {"KiB", 1024.0},
                                          {"MiB", 1024.0 * 1024},
                                          {"GiB", 1024.0 * 1024 * 1024},
                                          {"TiB", 1024.0 * 1024 * 1024 * 1024},
                                          {"k", 1e3},
                                          {"K", 1e3},
                                          {"M", 1e6},
                                          {"G", 1e9},
                                          {"T", 1e12}}};

// Down, but for what is a whole number if it is not for how the factors are rounded: 4.1 GB.
double whole_bytes(double bytes) {
  const double nearest = std::round(bytes);
  return std::abs(nearest - bytes) <= 4 * std::numeric_limits<double>::epsilon() * bytes ? nearest : std::floor(bytes);
}

}  // namespace

MemoryLimit limit_of_bytes(std::int64_t bytes) { return {false, bytes, std::to_string(bytes)}; }
MemoryLimit least_limit() { return {true, 0, "least"}; }

std::optional<MemoryLimit> parse_memory_limit(std::string_view text) {
  if (text == "least") return least_limit();
  const char* const end = text.data() + text.size();
  const auto unit_from = [&](const char* begin) {
    std::string_view unit(begin, static_cast<std::size_t>(end - begin));
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    return unit;
  };
  std::int64_t integer = 0;
  const auto whole = std::from_chars(text.data(), end, integer);
  if (whole.ec == std::errc() && (whole.ptr == end || unit_from(whole.ptr) == "B")) {  // as a double it might be rounded
    return integer >= 0 ? std::optional(MemoryLimit{false, integer, std::string(text)}) : std::nullopt;
  }
  double number = 0;
  const auto r = std::from_chars(text.data(), end, number);
  if (r.ec != std::errc() || !std::isfinite(number) || number < 0) return std::nullopt;
  const std::string_view unit = unit_from(r.ptr);
  for (const Unit& known : kUnits) {
    if (known.name != unit) continue;
    const double bytes = whole_bytes(number * known.bytes);
    if (bytes >= 9.2e18) return std::nullopt;
    return MemoryLimit{false, static_cast<std::int64_t>(bytes), std::string(text)};
  }
  return std::nullopt;
}

}  // namespace fxcut
