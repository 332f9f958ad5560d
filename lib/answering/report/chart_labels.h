// Places for the labels of a chart's marks, so that none lies on another label or on a mark.
//
// Each label takes the first free place of those next to its mark, in rings that grow: to the right and above first. A label
// beyond the first ring is apart from its mark, and needs a line that leads to it.
#pragma once

#include <string>
#include <vector>

namespace fxcut {

struct Mark {
  double x, y;       // its centre, in pixels
  std::string text;  // of its label
};

struct LabelBox {
  double left, top, right, bottom;

  double center_x() const { return (left + right) / 2; }
  double center_y() const { return (top + bottom) / 2; }
  bool overlaps(const LabelBox& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

struct ChartLabel {
  LabelBox box;
  bool is_apart = false;  // from its mark
};

// By mark; within `plot` if there is room. Otherwise a label lies next to its mark, even if it overlaps.
std::vector<ChartLabel> place_labels(const std::vector<Mark>& marks, const LabelBox& plot);

// The square around a mark that labels avoid.
LabelBox box_of(const Mark& mark);

}  // namespace fxcut
