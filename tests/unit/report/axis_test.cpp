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

TEST(Axis, HandlesOneValueAndAllZeros) {
  EXPECT_EQ(shown(5, 5, "B"), "0 1 2 3 4 5 B");
  EXPECT_EQ(shown(0, 0, "B"), "0 0.2 0.4 0.6 0.8 1 B");
}

TEST(Axis, HandlesTheLargestSizes) { EXPECT_EQ(shown(0, 9.2e18, "B"), "0 2 4 6 8 10 EB"); }

TEST(Axis, EndsFivePowersOfTenBelowTheLargest) {
  const Axis axis = make_axis_for({1e-9, 0, 300}, "ms");
  EXPECT_EQ(fmt::format("{}", fmt::join(axis.labels, "|")), "less|1 us|10 us|100 us|1 ms|10 ms|100 ms|1 s");
  EXPECT_EQ(axis.position(1e-9), 0);
  EXPECT_EQ(axis.position(0), 0);
}

TEST(Axis, IsLogarithmicWhereTheRangeAsksForIt) {
  EXPECT_FALSE(make_axis_for({0, 1, 1000}, "FLOP").is_log);
  EXPECT_FALSE(make_axis_for({}, "FLOP").is_log);
  const Axis axis = make_axis_for({0, 20, 9e5}, "FLOP");
  ASSERT_TRUE(axis.is_log);
  EXPECT_EQ(fmt::format("{}", fmt::join(axis.labels, "|")), "0|10 FLOP|100 FLOP|1 kFLOP|10 kFLOP|100 kFLOP|1 MFLOP");
  EXPECT_EQ(axis.position(0), 0);
  EXPECT_EQ(axis.position(1e6), 1);
  EXPECT_DOUBLE_EQ(axis.position(1e3) - axis.position(1e2), axis.position(1e2) - axis.position(1e1));
  EXPECT_GT(axis.position(10), 0.05) << "zero has its own place";
  EXPECT_EQ(make_axis_for({10, 1e5}, "FLOP").position(10), 0) << "unless there is none";
  EXPECT_LE(make_axis_for({1, 1e30}, "FLOP").ticks.size(), 11u);
}

}  // namespace
}  // namespace fxcut
