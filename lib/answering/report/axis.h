// The axis of a chart: a range of round numbers that contains all values, and its ticks.
#pragma once

#include <string>
#include <vector>

namespace fxcut {

struct Axis {
  double low = 0, high = 1;         // the range; both ends are ticks
  std::vector<double> ticks;        // from low to high
  std::vector<std::string> labels;  // of the ticks, in units of 10^3n: "12.5"
  std::string unit;                 // of the labels, with its prefix: "GB"

  // 0 at the low end, 1 at the high end.
  double position(double value) const { return (value - low) / (high - low); }
};

// An axis for values of `unit` in this range, all at least 0. It begins at 0 if `smallest` is well below `largest`. Times are
// in "ms".
Axis make_axis(double smallest, double largest, const std::string& unit);

}  // namespace fxcut
