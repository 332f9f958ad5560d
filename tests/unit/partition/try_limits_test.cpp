// Limits are lowered by what decisions take too much.
#include "partition/try_limits.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace fxcut {
namespace {

using Excess = std::function<std::optional<Int128>(std::int64_t limit)>;

std::vector<std::int64_t> lowered(const MemoryLimit& first, const Excess& excess) {
  std::vector<std::int64_t> limits;
  lower_by_excess(first, [&](const MemoryLimit& limit) {
    limits.push_back(limit.bytes);
    return excess(limit.bytes);
  });
  return limits;
}

using Limits = std::vector<std::int64_t>;

TEST(TryLimits, TheFirstThatIsMetIsTheLast) {
  EXPECT_EQ(lowered(limit_of_bytes(100), [](std::int64_t) { return 0; }), Limits{100});
  EXPECT_EQ(lowered(limit_of_bytes(100), [](std::int64_t limit) { return limit - 80; }), (Limits{100, 80}));
}

TEST(TryLimits, EachIsLowerByTheExcessOfTheOneBefore) {
  EXPECT_EQ(lowered(limit_of_bytes(100), [](std::int64_t limit) { return limit / 10 - 8; }), (Limits{100, 98, 97, 96, 95}));
}

TEST(TryLimits, NoneIsLowerThanOneWithoutADecision) {
  EXPECT_EQ(lowered(limit_of_bytes(100), [](std::int64_t limit) { return limit < 95 ? std::nullopt : std::optional<Int128>(9); }),
            (Limits{100, 91}));
}

TEST(TryLimits, NoneIsBelowZero) {
  EXPECT_EQ(lowered(limit_of_bytes(100), [](std::int64_t) { return 60; }), (Limits{100, 40}));
  EXPECT_EQ(lowered(limit_of_bytes(100), [](std::int64_t) { return 50; }), (Limits{100, 50, 0}));
}

TEST(TryLimits, NoneIsLowerThanTheLeast) {
  EXPECT_EQ(lowered(least_limit(), [](std::int64_t) { return 5; }), Limits{0});
}

}  // namespace
}  // namespace fxcut
