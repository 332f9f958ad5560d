// Labels of a chart: none lies on another or on a mark.
#include "report/chart_labels.h"

#include <gtest/gtest.h>

#include <string>

namespace fxcut {
namespace {

constexpr LabelBox kPlot{0, 0, 400, 300};

void expect_apart(const std::vector<Mark>& marks) {
  const std::vector<ChartLabel> labels = place_labels(marks, kPlot);
  ASSERT_EQ(labels.size(), marks.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < marks.size(); ++j) {
      EXPECT_FALSE(labels[i].box.overlaps(box_of(marks[j]))) << i << " on the mark " << j;
      EXPECT_TRUE(i == j || !labels[i].box.overlaps(labels[j].box)) << i << " on " << j;
    }
    EXPECT_GE(labels[i].box.left, kPlot.left);
    EXPECT_LE(labels[i].box.right, kPlot.right);
    EXPECT_GE(labels[i].box.top, kPlot.top);
    EXPECT_LE(labels[i].box.bottom, kPlot.bottom);
  }
}

TEST(ChartLabels, OneStandsToTheRightAndAbove) {
  const std::vector<ChartLabel> labels = place_labels({{100, 100, "1"}}, kPlot);
  EXPECT_GT(labels[0].box.left, 100);
  EXPECT_LT(labels[0].box.bottom, 100);
  EXPECT_FALSE(labels[0].is_apart);
}

TEST(ChartLabels, ManyAtOnePlaceLieOnNothing) {
  std::vector<Mark> marks;
  for (int i = 0; i < 14; ++i) marks.push_back({200.0 + i % 3, 150.0 + i % 2, std::to_string(i + 1)});
  expect_apart(marks);
  EXPECT_TRUE(place_labels(marks, kPlot).back().is_apart);
}

TEST(ChartLabels, ThoseAtTheEdgesStayWithin) {
  expect_apart({{0, 0, "1"}, {400, 0, "2"}, {0, 300, "3"}, {400, 300, "4"}, {399, 299, "12"}});
}

}  // namespace
}  // namespace fxcut
