// Sums that are just enough.
#include "frontier/hull_edge.h"

#include <gtest/gtest.h>

#include <numeric>

namespace fxcut {
namespace {

using Sizes = std::vector<std::int64_t>;

// The sum of the chosen sizes.
std::int64_t cover(const Sizes& sizes, std::int64_t at_least) {
  const std::vector<bool> taken = smallest_cover(sizes, at_least);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) sum += taken[i] ? sizes[i] : 0;
  return sum;
}

TEST(SmallestCover, TakesNothingWhereNothingIsNeededAndAllWhereAllIsTooLittle) {
  EXPECT_EQ(cover({3, 5}, 0), 0);
  EXPECT_EQ(cover({3, 5}, -7), 0);
  EXPECT_EQ(cover({3, 5}, 9), 8);
  EXPECT_EQ(cover({}, 1), 0);
}

TEST(SmallestCover, IsTheLeastSumThatIsEnough) {
  const Sizes sizes = {21, 8, 35, 13, 13, 2};
  for (std::int64_t at_least = 1; at_least <= 92; ++at_least) {
    std::int64_t least = 92;
    for (unsigned chosen = 0; chosen < 1u << sizes.size(); ++chosen) {
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < sizes.size(); ++i) sum += (chosen >> i & 1) != 0 ? sizes[i] : 0;
      if (sum >= at_least) least = std::min(least, sum);
    }
    EXPECT_EQ(cover(sizes, at_least), least) << at_least;
  }
}

TEST(SmallestCover, IsEnoughAlsoWhereSumsAreTooManyToTellApart) {
  Sizes sizes;
  for (std::int64_t i = 0; i < 40; ++i) sizes.push_back(1'000'000'007 + 65'537 * i * i);
  const std::int64_t all = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  const std::int64_t sum = cover(sizes, all / 2);
  EXPECT_GE(sum, all / 2);
  EXPECT_LT(sum, all / 2 + 50'000'000);
}

}  // namespace
}  // namespace fxcut
