#include "report/axis.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace fxcut {
namespace {

// 1, 2 or 5 times a power of ten: the least step with at most `most_steps` steps in `range`.
double round_step(double range, int most_steps) {
  const double power = std::pow(10, std::floor(std::log10(range / most_steps)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (range / (power * factor) <= most_steps) return power * factor;
  }
  return power * 10;
}

// The unit in which the largest value has one to three digits before its point, and its size in the given unit.
std::pair<std::string, double> scaled_unit(double largest, const std::string& unit) {
  if (unit == "ms") {
    if (largest >= 1000) return {"s", 1000};
    return largest >= 1 ? std::pair<std::string, double>("ms", 1) : std::pair<std::string, double>("us", 1e-3);
  }
  constexpr std::array<std::string_view, 7> prefixes = {"", "k", "M", "G", "T", "P", "E"};
  double scale = 1;
  std::size_t power = 0;
  for (; largest >= 1000 * scale && power + 1 < prefixes.size(); ++power) scale *= 1000;
  return {std::string(prefixes[power]) + unit, scale};
}

}  // namespace

Axis make_axis(double smallest, double largest, const std::string& unit) {
  constexpr int kMostSteps = 8;
  constexpr double kWellBelow = 0.4;
  if (!(largest > 0)) largest = 1;  // nothing but zeros
  if (smallest < kWellBelow * largest || smallest >= largest) smallest = 0;
  const double step = round_step(largest - smallest, kMostSteps);
  const auto first = static_cast<int>(std::floor(smallest / step));
  const auto last = static_cast<int>(std::ceil(largest / step));
  Axis axis;
  const auto [scaled, scale] = scaled_unit(last * step, unit);
  axis.unit = scaled;
  for (int tick = first; tick <= last; ++tick) {
    axis.ticks.push_back(tick * step);
    axis.labels.push_back(fmt::format("{:.6g}", tick * step / scale));
  }
  axis.low = axis.ticks.front();
  axis.high = axis.ticks.back();
  return axis;
}

}  // namespace fxcut
