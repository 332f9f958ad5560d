// The time of a step.
#include "schedule/simulate.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "schedule/known_schedules.h"
#include "schedule/read_schedule.h"

namespace fxcut {
namespace {

TEST(Simulate, OneForwardOneBackwardTakesTheTextbooksTime) {
  // (microbatches + ranks - 1) forwards and backwards of equal stages.
  const Schedule schedule = make_schedule(*find_schedule("1f1b"), {4, 1, 8});
  const SimulatedStep step = simulate(schedule, std::vector(4, StageTimes{1, 2, 1, 1}));
  EXPECT_EQ(step.step_ms, (8 + 4 - 1) * 3);
  EXPECT_EQ(step.busy_ms, std::vector<double>(4, 8 * 3));
  EXPECT_DOUBLE_EQ(step.bubble(0), 3.0 / 11);
}

TEST(Simulate, TheSlowestStageSetsThePace) {
  const Schedule schedule = make_schedule(*find_schedule("GPipe"), {2, 1, 4});
  const SimulatedStep step = simulate(schedule, {{1, 1, 0, 0}, {3, 5, 0, 0}});
  EXPECT_EQ(step.step_ms, 1 + 4 * 3 + 4 * 5 + 1);
  EXPECT_EQ(step.actions[0][4].begin_ms, 1 + 4 * 3 + 5);
}

TEST(Simulate, CommunicationTakesNoTime) {
  const Schedule schedule =
      read_schedule("0UNSHARD,0F0,0SEND_F0,0RECV_B0,0B0,0REDUCE_GRAD\n1RECV_F0,1F0,1B0,1SEND_B0\n", "s.csv");
  EXPECT_EQ(simulate(schedule, std::vector(2, StageTimes{1, 2, 1, 1})).step_ms, 6);
}

// From stage `from` to the next, in ms there and back.
StageLink link(int from, double forward_ms, double backward_ms) { return {from, from + 1, 0, 0, forward_ms, backward_ms}; }

TEST(Simulate, ValuesAndGradientsArriveAfterTheTimeOfTheirLink) {
  const Schedule schedule = make_schedule(*find_schedule("GPipe"), {2, 1, 1});
  const std::vector<StageTimes> times(2, StageTimes{1, 2, 1, 1});
  EXPECT_EQ(simulate(schedule, times, {link(0, 10, 20)}).step_ms, 1 + 10 + 1 + 2 + 20 + 2);
  const Schedule one_rank = read_schedule("0F0,1F0,1B0,0B0\n", "s.csv");
  EXPECT_EQ(simulate(one_rank, times, {link(0, 10, 20)}).step_ms, 6);
}

TEST(Simulate, ALinkSendsOneAfterTheOtherWhileBothRanksGoOn) {
  const Schedule schedule = make_schedule(*find_schedule("GPipe"), {2, 1, 3});
  const std::vector<StageTimes> times(2, StageTimes{1, 2, 1, 1});
  const SimulatedStep slow = simulate(schedule, times, {link(0, 4, 0)});  // arrivals at 5, 9 and 13
  EXPECT_EQ(slow.actions[0][2].end_ms, 3);
  EXPECT_EQ(slow.actions[1][0].begin_ms, 5);
  EXPECT_EQ(slow.actions[1][2].begin_ms, 13);
  const SimulatedStep fast = simulate(schedule, times, {link(0, 0.5, 0)});  // hidden behind forwards except for the first
  EXPECT_EQ(fast.actions[1][0].begin_ms, 1.5);
  EXPECT_EQ(fast.actions[1][2].begin_ms, 3.5);
}

TEST(Simulate, AValueThatSkipsAStageIsWaitedFor) {
  const Schedule schedule = make_schedule(*find_schedule("GPipe"), {3, 1, 1});
  const std::vector<StageTimes> times(3, StageTimes{1, 2, 1, 1});
  EXPECT_EQ(simulate(schedule, times, {{0, 2, 0, 0, 7, 0}}).actions[2][0].begin_ms, 8);
  EXPECT_EQ(simulate(schedule, times, {{0, 2, 0, 0, 0.5, 0}}).actions[2][0].begin_ms, 2);
}

TEST(Simulate, RanksThatWaitForEachOtherAreReported) {
  const Schedule schedule = read_schedule("0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n", "s.csv");
  try {
    simulate(schedule, std::vector(2, StageTimes{1, 2, 1, 1}));
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::BadInput);
    EXPECT_EQ(failure.diagnostics()[0].message,
              "ranks wait for each other: rank 0 at its action 2, 0B0, waits for 1B0 or 1I0, which never runs");
  }
}

TEST(KnownSchedules, RefuseSizesThatPyTorchRefuses) {
  const auto message = [](std::string_view name, const ScheduleSize& size) {
    try {
      make_schedule(*find_schedule(name), size);
      return std::string();
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), ExitStatus::Usage);
      return failure.diagnostics()[0].message + "; " + failure.diagnostics()[0].hint;
    }
  };
  EXPECT_EQ(message("1F1B", {4, 1, 3}),
            "the schedule 1F1B needs at least as many microbatches as stages; got 3 microbatches and 4 stages");
  EXPECT_EQ(message("GPipe", {2, 2, 4}), "the schedule GPipe needs one stage on each rank; got 4 stages on 2 ranks");
  EXPECT_EQ(message("DualPipeV", {2, 1, 4}), "the schedule DualPipeV needs two stages on each rank; got 2 stages on 2 ranks");
  EXPECT_EQ(message("Interleaved1F1B", {2, 2, 5}),
            "the schedule Interleaved1F1B needs microbatches in 2 equal rounds; got 5 microbatches; a round has about as many as "
            "there are ranks");
  EXPECT_EQ(find_schedule("2F2B"), nullptr);
}

}  // namespace
}  // namespace fxcut
