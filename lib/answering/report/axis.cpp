#include "report/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace fxcut {
namespace {

// 1, 2 or 5 times a power of ten: the smallest step with at most `most_steps` steps in `range`.
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

// Ticks at powers of ten, at most kMaxTicks, and one for smaller values, if these have a label.
Axis make_log_axis(double smallest, double largest, const std::string& less, const std::string& unit) {
  constexpr int kMaxTicks = 9;
  constexpr double kZeroShare = 0.08;
  const int first = static_cast<int>(std::floor(std::log10(smallest))), last = static_cast<int>(std::ceil(std::log10(largest)));
  const int step = (last - first + kMaxTicks - 1) / kMaxTicks;
  Axis axis;
  axis.is_log = true;
  axis.unit = unit;
  axis.zero_share = less.empty() ? 0 : kZeroShare;
  axis.low = std::pow(10, first);
  axis.high = std::pow(10, last);
  if (!less.empty()) {
    axis.ticks.push_back(0);
    axis.labels.push_back(less);
  }
  for (int power = first; power <= last; power += step) {
    axis.ticks.push_back(std::pow(10, power));
    const auto [scaled, scale] = scaled_unit(axis.ticks.back(), unit);
    axis.labels.push_back(fmt::format("{:.6g} {}", axis.ticks.back() / scale, scaled));
  }
  return axis;
}

}  // namespace

double Axis::position(double value) const {
  if (!is_log) return (value - low) / (high - low);
  if (value < low) return 0;
  return zero_share + (1 - zero_share) * std::log(value / low) / std::log(high / low);
}

Axis make_axis_for(const std::vector<double>& values, const std::string& unit) {
  constexpr double kWide = 1000, kWidest = 1e5;
  double smallest = 0, largest = 0;  // of those above 0
  for (const double value : values) {
    if (value <= 0) continue;
    smallest = smallest > 0 ? std::min(smallest, value) : value;
    largest = std::max(largest, value);
  }
  if (largest <= kWide * smallest) return make_axis(0, largest, unit);
  const double least = std::max(smallest, largest / kWidest);
  const bool has_less = std::any_of(values.begin(), values.end(), [&](double value) { return value < least; });
  return make_log_axis(least, largest, has_less ? (smallest < least ? "less" : "0") : "", unit);
}

Axis make_axis(double smallest, double largest, const std::string& unit) {
  constexpr int kMaxSteps = 8;
  constexpr double kWellBelow = 0.4;
  if (!(largest > 0)) largest = 1;  // nothing but zeros
  if (smallest < kWellBelow * largest || smallest >= largest) smallest = 0;
  const double step = round_step(largest - smallest, kMaxSteps);
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
