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

  bool is_log = false;
  double zero_share = 0;            // on a logarithmic axis: the part below `low`, for smaller values

  // 0 at the low end, 1 at the high end.
  double position(double value) const;
};

// An axis for values of `unit` in this range, all at least 0. It begins at 0 if `smallest` is well below `largest`. Times are
// in "ms".
Axis make_axis(double smallest, double largest, const std::string& unit);

// A logarithmic axis between powers of ten for non-negative values, if the largest is more than 1000 times the smallest that is
// not 0. It spans at most five powers, since smaller costs mean nothing beside the largest. Otherwise make_axis. Labels of a
// logarithmic axis have their units, and `unit` has no prefix.
Axis make_axis_for(const std::vector<double>& values, const std::string& unit);

}  // namespace fxcut
