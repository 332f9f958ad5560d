#include "frontier/effort.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

TEST(Effort, EndsAfterItsSteps) {
  Effort effort({.most_steps = 100}, 10);
  effort.take(99);
  EXPECT_FALSE(effort.is_spent());
  effort.take(1);
  EXPECT_TRUE(effort.is_spent());
  EXPECT_EQ(effort.ended_by(), EndedBy::Steps);
}

TEST(Effort, HasMoreStepsForLargerGraphs) {
  Effort small({}, 10), large({}, 1'000'000);
  for (Effort* effort : {&small, &large}) effort->take(3'000'000'000);
  EXPECT_TRUE(small.is_spent());
  EXPECT_FALSE(large.is_spent());
}

TEST(Effort, EndsWhereNothingBetterComesForLong) {
  Effort effort({.most_steps = 1000}, 10);
  effort.take(200);
  EXPECT_FALSE(effort.is_spent()) << "it is not watched yet";
  effort.watch_for_stagnation();
  effort.take(300);  // as many as before, and a tenth of all
  EXPECT_FALSE(effort.is_spent());
  effort.note_better();
  effort.take(499);
  EXPECT_FALSE(effort.is_spent()) << "twice as long as the best took";
  effort.take(1);
  EXPECT_EQ(effort.is_spent() ? effort.ended_by() : std::nullopt, EndedBy::Steps);

  Effort dull({.most_steps = 1000}, 10);
  dull.watch_for_stagnation();
  dull.take(101);
  EXPECT_EQ(dull.is_spent() ? dull.ended_by() : std::nullopt, EndedBy::Stagnation);
}

TEST(Effort, IsCutShortByTheClockAndByTheUserAndRemainsSo) {
  for (const auto& [halt, end] : {std::pair(Halt::TimeIsUp, EndedBy::Time), {Halt::Interrupted, EndedBy::Interrupt}}) {
    Halt now = halt;
    Effort effort({.halt = [&] { return now; }}, 10);
    EXPECT_TRUE(effort.is_spent());
    now = Halt::No;
    EXPECT_TRUE(effort.is_spent());
    EXPECT_EQ(effort.ended_by(), end);
  }
}

TEST(Effort, EachEndHasItsWord) {
  EXPECT_EQ(name_of(EndedBy::Proof), "proof");
  EXPECT_EQ(name_of(EndedBy::Interrupt), "interrupt");
}

}  // namespace
}  // namespace fxcut
