// When copies run that share a channel, by hand.
#include "offload/copy_times.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

TEST(CopiesToHost, BeginWhenTheirValueAndTheChannelAreFree) {
  EXPECT_EQ(ends_of_copies({{10, 5}, {12, 5}, {30, 5}}), (std::vector<double>{15, 20, 35}));
}

TEST(Reloads, BeginJustInTime) {
  const Reloads reloads = latest_reloads({{100, 10}, {200, 30}});
  EXPECT_EQ(reloads.begins, (std::vector<double>{90, 170}));
  EXPECT_EQ(reloads.waiting, 0);
}

TEST(Reloads, LeaveTheChannelToLaterOnes) {
  EXPECT_EQ(latest_reloads({{100, 10}, {105, 30}}).begins, (std::vector<double>{65, 75})) << "the second takes the channel at 75";
}

TEST(Reloads, AreWaitedForWhereTheyCannotComeInTime) {
  const Reloads reloads = latest_reloads({{5, 20}, {10, 20}, {100, 20}});
  EXPECT_EQ(reloads.begins, (std::vector<double>{0, 5, 80})) << "by the clock of what computes, which stands from 5 on, for 15";
  EXPECT_EQ(reloads.waiting, 15 + 15);
}

}  // namespace
}  // namespace fxcut
