// The axis of a chart: a range of round figures that holds all values, and where its ticks stand.
#pragma once

#include <string>
#include <vector>

namespace fxcut {

struct Axis {
  double low = 0, high = 1;         // the range, both ends ticks
  std::vector<double> ticks;        // from low to high
  std::vector<std::string> labels;  // of the ticks, in units of 10^3n: "12.5"
  std::string unit;                 // of the labels, with its prefix: "GB"

  // From 0 at the low end to 1 at the high one.
  double position(double value) const { return (value - low) / (high - low); }
};

// For values of `unit` between these, at least 0. It begins at 0 where `smallest` is well below `largest`. Times are in
// "ms".
Axis make_axis(double smallest, double largest, const std::string& unit);

}  // namespace fxcut
