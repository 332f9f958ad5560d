// The limits of the operators' peak that are tried, given the memory of their decisions' code.
#include "partition/operators_limits.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace fxcut {
namespace {

TriedPeaks unlimited(double operators, double code) {
  return {limit_of_bytes(std::numeric_limits<std::int64_t>::max()), PeaksOfDecision{operators, code}};
}

TriedPeaks within(std::int64_t bytes, double code) {
  return {limit_of_bytes(bytes), PeaksOfDecision{static_cast<double>(bytes), code}};
}

TriedPeaks least(double operators, double code) {
  return {least_limit(), PeaksOfDecision{operators, code}};
}

TriedPeaks unmet(const MemoryLimit& limit) { return {limit, {}}; }

TEST(OperatorsLimits, TheFirstIsNone) {
  EXPECT_EQ(next_operators_limit({}, 500)->bytes, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(next_operators_limit_upwards({}, Spread::Few)->bytes, std::numeric_limits<std::int64_t>::max());
}

TEST(OperatorsLimits, ADecisionThatFitsEndsTheSearch) { EXPECT_FALSE(next_operators_limit({unlimited(1'000, 500)}, 500)); }

TEST(OperatorsLimits, AreLoweredByWhatTheCodeTakesTooMuch) {
  EXPECT_EQ(next_operators_limit({unlimited(1'000, 2'000)}, 500)->bytes, 247);  // 0.99 x 500 / 2,000 of 1,000
}

TEST(OperatorsLimits, LaterLimitsLieBetweenFittingAndExceedingOnes) {
  // Code of 300 bytes and of 700: 0.99 x 500 is 0.4875 of the way.
  EXPECT_EQ(next_operators_limit({unlimited(1'000, 700), within(600, 300)}, 500)->bytes, 795);
  EXPECT_FALSE(next_operators_limit({unlimited(1'000, 700), within(600, 490)}, 500)) << "which is close enough";
}

TEST(OperatorsLimits, AboveALowestPeakTheyStartFromWhatItsOperatorsTake) {
  EXPECT_EQ(next_operators_limit({unlimited(1'000, 700), least(600, 300)}, 500)->bytes, 795);
}

TEST(OperatorsLimits, OneThatIsUnmetIsFollowedByTheLeastOnce) {
  EXPECT_TRUE(next_operators_limit({unlimited(1'000, 700), unmet(limit_of_bytes(600))}, 500)->is_least);
  EXPECT_FALSE(next_operators_limit({unlimited(1'000, 700), unmet(least_limit())}, 500));
  EXPECT_FALSE(next_operators_limit({unlimited(1'000, 700), least(800, 600), unmet(limit_of_bytes(700))}, 500));
}

TEST(OperatorsLimits, TheFifthDecisionIsTheLowestIfNoneFits) {
  std::vector<TriedPeaks> tried = {unlimited(1'000, 900), within(900, 800), within(800, 700), within(700, 600)};
  EXPECT_TRUE(next_operators_limit(tried, 500)->is_least);
  tried.push_back(least(600, 550));
  EXPECT_FALSE(next_operators_limit(tried, 500));
}

TEST(OperatorsLimits, UpwardsTheyBeginWithTheOperatorsLowest) {
  for (const auto& [spread, expected] :
       {std::pair(Spread::Few, std::vector<std::int64_t>{500, 600, 800}),
        std::pair(Spread::Many, std::vector<std::int64_t>{440, 500, 560, 640, 720, 800, 1'000})}) {
    std::vector<TriedPeaks> tried = {unlimited(1'000, 900)};
    EXPECT_TRUE(next_operators_limit_upwards(tried, spread)->is_least);
    tried.push_back(least(400, 300));
    for (const std::int64_t bytes : expected) {
      EXPECT_EQ(next_operators_limit_upwards(tried, spread)->bytes, bytes);
      tried.push_back(unmet(limit_of_bytes(bytes)));
    }
    EXPECT_FALSE(next_operators_limit_upwards(tried, spread));
  }
  EXPECT_FALSE(next_operators_limit_upwards({unlimited(1'000, 900), unmet(least_limit())}, Spread::Many));
}

}  // namespace
}  // namespace fxcut
