#include "report/chart_labels.h"

#include <algorithm>
#include <array>

namespace fxcut {
namespace {

// In pixels, for text of 11 pixels.
constexpr double kLetter = 7, kLine = 12, kMarkReach = 6, kFirstRing = 2, kRingStep = 9;
constexpr int kRings = 24;

// A label in that direction of its mark, `gap` pixels from it.
LabelBox box_beside(const Mark& mark, double dx, double dy, double gap) {
  const double width = kLetter * static_cast<double>(mark.text.size());
  const double x = mark.x + dx * (kMarkReach + gap + width / 2), y = mark.y + dy * (kMarkReach + gap + kLine / 2);
  return {x - width / 2, y - kLine / 2, x + width / 2, y + kLine / 2};
}

}  // namespace

LabelBox box_of(const Mark& mark) {
  return {mark.x - kMarkReach, mark.y - kMarkReach, mark.x + kMarkReach, mark.y + kMarkReach};
}

std::vector<ChartLabel> place_labels(const std::vector<Mark>& marks, const LabelBox& plot) {
  constexpr std::array<std::array<double, 2>, 8> kDirections = {
      {{1, -1}, {-1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {-1, 0}, {0, 1}}};
  std::vector<ChartLabel> labels;
  const auto is_free = [&](const LabelBox& box) {
    const bool is_inside = box.left >= plot.left && box.right <= plot.right && box.top >= plot.top && box.bottom <= plot.bottom;
    return is_inside &&
           std::none_of(labels.begin(), labels.end(), [&](const ChartLabel& label) { return label.box.overlaps(box); }) &&
           std::none_of(marks.begin(), marks.end(), [&](const Mark& mark) { return box_of(mark).overlaps(box); });
  };
  const auto place = [&](const Mark& mark) -> ChartLabel {
    for (int ring = 0; ring < kRings; ++ring) {
      for (const auto& [dx, dy] : kDirections) {
        const LabelBox box = box_beside(mark, dx, dy, kFirstRing + kRingStep * ring);
        if (is_free(box)) return {box, ring > 0};
      }
    }
    return {box_beside(mark, 1, -1, kFirstRing), false};
  };
  for (const Mark& mark : marks) labels.push_back(place(mark));
  return labels;
}

}  // namespace fxcut
