#include "frontier/work_budget.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

TEST(WorkBudget, EndsAfterItsSteps) {
  WorkBudget work({.most_steps = 100}, 10);
  work.charge(99);
  EXPECT_FALSE(work.is_exhausted());
  work.charge(1);
  EXPECT_TRUE(work.is_exhausted());
  EXPECT_EQ(work.ended_by(), EndedBy::Steps);
}

TEST(WorkBudget, HasMoreStepsForLargerGraphs) {
  WorkBudget small({}, 10), large({}, 1'000'000);
  for (WorkBudget* work : {&small, &large}) work->charge(3'000'000'000);
  EXPECT_TRUE(small.is_exhausted());
  EXPECT_FALSE(large.is_exhausted());
}

TEST(WorkBudget, EndsWhereNothingBetterComesForLong) {
  WorkBudget work({.most_steps = 1000}, 10);
  work.charge(200);
  EXPECT_FALSE(work.is_exhausted()) << "it is not watched yet";
  work.watch_for_stagnation();
  work.charge(300);  // as many as before, and a tenth of all
  EXPECT_FALSE(work.is_exhausted());
  work.note_better();
  work.charge(499);
  EXPECT_FALSE(work.is_exhausted()) << "twice as long as the best took";
  work.charge(1);
  EXPECT_EQ(work.is_exhausted() ? work.ended_by() : std::nullopt, EndedBy::Steps);

  WorkBudget dull({.most_steps = 1000}, 10);
  dull.watch_for_stagnation();
  dull.charge(101);
  EXPECT_EQ(dull.is_exhausted() ? dull.ended_by() : std::nullopt, EndedBy::Stagnation);
}

TEST(WorkBudget, IsCutShortByTheClockAndByTheUserAndRemainsSo) {
  for (const auto& [halt, end] : {std::pair(Halt::TimeIsUp, EndedBy::Time), {Halt::Interrupted, EndedBy::Interrupt}}) {
    Halt now = halt;
    WorkBudget work({.halt = [&] { return now; }}, 10);
    EXPECT_TRUE(work.is_exhausted());
    now = Halt::No;
    EXPECT_TRUE(work.is_exhausted());
    EXPECT_EQ(work.ended_by(), end);
  }
}

TEST(WorkBudget, EachEndHasItsWord) {
  EXPECT_EQ(name_of(EndedBy::Proof), "proof");
  EXPECT_EQ(name_of(EndedBy::Interrupt), "interrupt");
}

}  // namespace
}  // namespace fxcut
