// The numbers that can be sums.
#include "frontier/incumbent.h"

#include <gtest/gtest.h>

#include <set>

namespace fxcut {
namespace {

TEST(SumGrid, BoundsMoveToNumbersThatMayBeSums) {
  const SumGrid grid({100, 300, 100, 2, 1});
  EXPECT_TRUE(grid.round_up(104) == 200);
  EXPECT_TRUE(grid.round_up(103) == 103);
  EXPECT_TRUE(grid.round_up(200) == 200);
  EXPECT_TRUE(grid.round_up(0) == 0);
  EXPECT_TRUE(grid.round_down(199) == 103);
  EXPECT_TRUE(grid.round_down(102) == 102);
}

TEST(SumGrid, KnowsNothingWhereSmallNumbersAddUp) {
  const SumGrid grid({100, 60, 50, 9, 1});
  EXPECT_TRUE(grid.round_up(57) == 57);
  EXPECT_TRUE(SumGrid({}).round_up(5) == 5);
  EXPECT_TRUE(SumGrid({0, 0}).round_down(5) == 5);
}

TEST(SumGrid, NeverPassesASum) {
  const std::vector<Int128> numbers = {64, 64, 48, 16, 5, 3, 1};
  std::set<int> sums;
  for (unsigned chosen = 0; chosen < 1u << numbers.size(); ++chosen) {
    int sum = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) sum += (chosen >> i & 1) != 0 ? static_cast<int>(numbers[i]) : 0;
    sums.insert(sum);
  }
  const SumGrid grid(numbers);
  int moved = 0;
  for (int bound = 0; bound < 200; ++bound) {
    const auto next = sums.lower_bound(bound);
    if (next != sums.end()) {
      EXPECT_LE(static_cast<int>(grid.round_up(bound)), *next) << bound;
    }
    EXPECT_GE(static_cast<int>(grid.round_down(bound)), *std::prev(sums.upper_bound(bound))) << bound;
    moved += grid.round_up(bound) != bound ? 1 : 0;
  }
  EXPECT_GT(moved, 50);
}

}  // namespace
}  // namespace fxcut
