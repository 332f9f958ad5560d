// Axes of charts.
#include "report/axis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace fxcut {
namespace {

// "0 1 2 kB".
std::string shown(double smallest, double largest, const std::string& unit) {
  const Axis axis = make_axis(smallest, largest, unit);
  EXPECT_EQ(axis.ticks.size(), axis.labels.size());
  EXPECT_LE(axis.low, smallest);
  EXPECT_GE(axis.high, largest);
  EXPECT_EQ(axis.position(axis.low), 0);
  EXPECT_EQ(axis.position(axis.high), 1);
  return fmt::format("{} {}", fmt::join(axis.labels, " "), axis.unit);
}

TEST(Axis, HasRoundTicksThatHoldAllValues) {
  EXPECT_EQ(shown(0, 42.1e9, "B"), "0 10 20 30 40 50 GB");
  EXPECT_EQ(shown(0, 4000, "FLOP"), "0 0.5 1 1.5 2 2.5 3 3.5 4 kFLOP");
  EXPECT_EQ(shown(0, 7, "B"), "0 1 2 3 4 5 6 7 B");
}

TEST(Axis, BeginsAtZeroUnlessAllValuesAreFarFromIt) {
  EXPECT_EQ(shown(10, 100, "B"), "0 20 40 60 80 100 B");
  EXPECT_EQ(shown(81, 100, "B"), "80 85 90 95 100 B");
}

TEST(Axis, TimesAreInTheUnitThatFits) {
  EXPECT_EQ(shown(0, 0.002, "ms"), "0 0.5 1 1.5 2 us");
  EXPECT_EQ(shown(0, 6, "ms"), "0 1 2 3 4 5 6 ms");
  EXPECT_EQ(shown(0, 6000, "ms"), "0 1 2 3 4 5 6 s");
}

TEST(Axis, OfOneValueOrOfNothingButZeros) {
  EXPECT_EQ(shown(5, 5, "B"), "0 1 2 3 4 5 B");
  EXPECT_EQ(shown(0, 0, "B"), "0 0.2 0.4 0.6 0.8 1 B");
}

TEST(Axis, OfTheLargestSizes) { EXPECT_EQ(shown(0, 9.2e18, "B"), "0 2 4 6 8 10 EB"); }

}  // namespace
}  // namespace fxcut
