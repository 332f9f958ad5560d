// The microbatches in flight.
#include "schedule/liveness.h"

#include <gtest/gtest.h>

#include "schedule/known_schedules.h"
#include "schedule/read_schedule.h"

namespace fxcut {
namespace {

TEST(Liveness, ASlotIsFreeAgainAfterTheActionThatEndsALifetime) {
  const Schedule schedule = read_schedule("0F0,0B0,0F1,0F2,0B1,0B2\n", "s.csv");
  const ActivationLiveness found = find_liveness(schedule, 0, LivenessOf::StageMicrobatch);
  EXPECT_EQ(found.slots, 2);
  ASSERT_EQ(found.lifetimes.size(), 3U);
  EXPECT_EQ(found.lifetimes[0].slot, 0);
  EXPECT_EQ(found.lifetimes[1].slot, 0);
  EXPECT_EQ(found.lifetimes[2].slot, 1);
  EXPECT_EQ(found.lifetimes[2].first, 3U);
  EXPECT_EQ(found.lifetimes[2].last, 5U);
}

TEST(Liveness, PartsOfAnOverlapAreAliveTogether) {
  EXPECT_EQ(find_liveness(read_schedule("0F0,(0F1;0B0)OVERLAP_F_B,0B1\n", "s.csv"), 0, LivenessOf::StageMicrobatch).slots, 2);
}

TEST(Liveness, ABackwardForInputsEndsNoLifetime) {
  EXPECT_EQ(find_liveness(read_schedule("0F0,0I0,0F1,0W0,0I1,0W1\n", "s.csv"), 0, LivenessOf::StageMicrobatch).slots, 2);
}

TEST(Liveness, AMicrobatchLivesFromItsFirstForwardToItsLastBackward) {
  const Schedule schedule = make_schedule(*find_schedule("LoopedBFS"), {1, 2, 2});
  // 0F0 0F1 1F0 1F1 1B1 1B0 0B1 0B0
  const ActivationLiveness found = find_liveness(schedule, 0, LivenessOf::Microbatch);
  EXPECT_EQ(found.slots, 2);
  EXPECT_EQ(found.lifetimes[2].stage, 1);
  EXPECT_EQ(found.lifetimes[2].first, 0U);
  EXPECT_EQ(found.lifetimes[2].last, 7U);
}

}  // namespace
}  // namespace fxcut
