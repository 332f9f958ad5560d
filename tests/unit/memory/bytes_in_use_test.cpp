// Bytes in use are added up from pieces of memory.
#include "memory/bytes_in_use.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

namespace fxcut {
namespace {

constexpr std::size_t kBeyondAll = std::numeric_limits<std::size_t>::max();

TEST(BytesInUse, ArePiecesFromTheirFirstToTheirLastMoment) {
  BytesInUse in_use(4);
  in_use.add(100, 0, 1);
  in_use.add(20, 1, 2);
  in_use.add(3, 3, kBeyondAll);
  const BytesInUse::Peak peak = in_use.add_up();
  EXPECT_EQ(in_use.bytes(), (std::vector<Int128>{100, 120, 20, 3}));
  EXPECT_EQ(peak.bytes, 120);
  EXPECT_EQ(peak.moment, 1U);
}

TEST(BytesInUse, ThePeakIsTheFirstOfSeveral) {
  BytesInUse in_use(3);
  in_use.add(7, 1, 2);
  EXPECT_EQ(in_use.add_up().moment, 1U);
}

TEST(BytesInUse, APeakElsewhereIsKeptUnlessMoreIsInUse) {
  for (const auto& [before, moment] : {std::pair(Int128{6}, 2U), std::pair(Int128{7}, 0U)}) {
    BytesInUse in_use(3);
    in_use.add(7, 2, 2);
    EXPECT_EQ(in_use.add_up({before, 0}).moment, moment);
  }
}

TEST(BytesInUse, APieceThatBeginsAfterTheLastMomentIsNeverThere) {
  BytesInUse in_use(3);
  in_use.add(7, 3, kBeyondAll);
  EXPECT_EQ(std::move(in_use).sums(), (std::vector<Int128>{0, 0, 0}));
  MemoryCurve curve(1);
  curve.add(7, 1, kBeyondAll);
  EXPECT_EQ(std::move(curve).add_up().front().bytes_after, 0);
}

TEST(BytesInUse, ARunForgetsTheOneBefore) {
  BytesInUse in_use(1);
  in_use.add(7, 0, 0);
  in_use.add_up();
  in_use.begin(2);
  in_use.add(1, 1, 1);
  EXPECT_EQ(std::move(in_use).sums(), (std::vector<Int128>{0, 1}));
}

TEST(MemoryCurve, IsLowerAfterAStepThatIsTheLastToUseSomething) {
  MemoryCurve curve(2);
  curve.add(100, 0, 0);
  curve.add(20, 0, 1);
  curve.add(3, 1, kBeyondAll);
  const std::vector<MemoryUse> uses = std::move(curve).add_up();
  ASSERT_EQ(uses.size(), 2U);
  EXPECT_EQ(uses[0].bytes, 120);
  EXPECT_EQ(uses[0].bytes_after, 20);
  EXPECT_EQ(uses[1].bytes, 23);
  EXPECT_EQ(uses[1].bytes_after, 3);
}

}  // namespace
}  // namespace fxcut
