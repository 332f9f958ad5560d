// Lifetimes added up.
#include "memory/memory_profile.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

using Owner = Allocation::Owner;
constexpr std::size_t kKept = Allocation::kKeptByCaller;

Allocation allocation(std::int64_t size_bytes, std::size_t first_step, std::size_t last_step,
                      Owner owner = Owner::Step) {
  return {Side::Forward, node_id(0), size_bytes, owner, first_step, last_step};
}

std::vector<Step> steps(std::size_t count) { return std::vector<Step>(count); }

TEST(MemoryProfile, AStepHoldsWhatItEndsAndFreesItBehindIt) {
  const MemoryProfile profile = profile_memory({steps(3), {allocation(10, 0, 1), allocation(5, 1, kKept)}});
  ASSERT_EQ(profile.curve.size(), 3u);
  EXPECT_TRUE(profile.curve[0].bytes == 10 && profile.curve[0].bytes_after == 10);
  EXPECT_TRUE(profile.curve[1].bytes == 15 && profile.curve[1].bytes_after == 5);
  EXPECT_TRUE(profile.curve[2].bytes == 5 && profile.curve[2].bytes_after == 5);
}

TEST(MemoryProfile, ThePeakIsTheFirstOfSeveral) {
  const MemoryProfile profile = profile_memory({steps(3), {allocation(10, 1, 1), allocation(10, 2, 2)}});
  EXPECT_EQ(profile.peak_step, 1u);
  EXPECT_TRUE(profile.peak_bytes() == 10);
}

TEST(MemoryProfile, ValuesAliveAtThePeakAreListedLargestFirst) {
  const MemoryProfile profile =
      profile_memory({steps(2),
                      {allocation(1, 0, 0), allocation(2, 0, 1), allocation(3, 1, 1), allocation(2, 1, kKept),
                       allocation(0, 1, 1), allocation(9, 0, kKept, Owner::Parameters)}});
  EXPECT_EQ(profile.peak_step, 1u);
  ASSERT_EQ(profile.at_peak.size(), 3u);
  EXPECT_EQ(profile.at_peak[0].size_bytes, 3);
  EXPECT_EQ(profile.at_peak[1].first_step, 0u) << "of equal ones what was made first";
  EXPECT_EQ(profile.at_peak[2].last_step, kKept);
}

TEST(MemoryProfile, ParametersAndInputsAreNoPartOfTheCurve) {
  const MemoryProfile profile =
      profile_memory({steps(1), {allocation(7, 0, kKept, Owner::Parameters), allocation(3, 0, kKept, Owner::Inputs)}});
  EXPECT_EQ(profile.static_bytes, 7);
  EXPECT_EQ(profile.input_bytes, 3);
  EXPECT_TRUE(profile.peak_bytes() == 0);
}

TEST(MemoryProfile, SumsBeyond64BitsAreExact) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 62;
  const MemoryProfile profile =
      profile_memory({steps(1), {allocation(kLarge, 0, 0), allocation(kLarge, 0, 0), allocation(kLarge, 0, 0)}});
  EXPECT_TRUE(profile.peak_bytes() == Int128{3} << 62);
}

}  // namespace
}  // namespace fxcut
