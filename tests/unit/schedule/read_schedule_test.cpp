// Schedules from PyTorch's CSV.
#include "schedule/read_schedule.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

using Lines = std::vector<std::string>;

Lines mistakes_of(const std::string& csv) {
  Lines found;
  try {
    read_schedule(csv, "s.csv");
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::BadInput);
    for (const Diagnostic& diagnostic : failure.diagnostics()) {
      EXPECT_FALSE(diagnostic.excerpt.empty() && diagnostic.place != "s.csv") << diagnostic.place;
      found.push_back(diagnostic.place + ": " + diagnostic.message + "; " + diagnostic.hint);
    }
  }
  return found;
}

TEST(ReadSchedule, EachActionOfPyTorchIsReadAndWrittenAsItIs) {
  for (const std::string text :
       {"2F0", "0B13", "1I2", "1W2", "3UNSHARD", "3RESHARD", "3REDUCE_GRAD", "3WAIT_REDUCE_GRAD", "2SEND_F1", "2RECV_F1",
        "2SEND_B1", "2RECV_B1", "2WAIT_SEND_F1", "2WAIT_SEND_B1", "(0F3;3B1)OVERLAP_F_B"}) {
    const auto action = parse_action(" " + text + "\r");
    ASSERT_TRUE(action) << text;
    EXPECT_EQ(to_string(*action), text);
  }
}

TEST(ReadSchedule, TextsThatAreNoActionsAreRefused) {
  for (const std::string text : {"F0", "2", "2F", "2G0", "-1F0", "2F0x", "2F-1", "2 F0", "(0F3)", "()OVERLAP_F_B",
                                 "(0F3;x)OVERLAP_F_B", "(0SEND_F1)OVERLAP_F_B", "99999999999F0", "2OVERLAP_F_B"}) {
    EXPECT_FALSE(parse_action(text)) << text;
  }
}

TEST(ReadSchedule, IdleSlotsAndBlankLinesAreLeftOut) {
  const Schedule schedule = read_schedule("0F0,,0B0\r\n\n,1F0,1B0\n", "s.csv");
  EXPECT_EQ(schedule_csv(schedule), "0F0,0B0\n1F0,1B0\n");
  const ScheduleShape shape = shape_of(schedule);
  EXPECT_EQ(shape.stages, 2);
  EXPECT_EQ(shape.microbatches, 1);
  EXPECT_EQ(shape.stages_of(1), std::vector<int>{1});
}

TEST(ReadSchedule, MistakesHaveTheirPlaces) {
  const std::string expected =
      "expected a stage, F, B, I, W or another of PyTorch's actions, and a microbatch, such as 2F0; or (0F1;1B0)OVERLAP_F_B";
  EXPECT_EQ(mistakes_of("0F0, 0G0\n1F0,oops\n"),
            (Lines{"s.csv:1:6: '0G0' is not an action; " + expected, "s.csv:2:5: 'oops' is not an action; " + expected}));
  EXPECT_EQ(mistakes_of(""), Lines{"s.csv: no actions are in this schedule; " + expected});
  EXPECT_EQ(mistakes_of("70000F0\n"),
            Lines{"s.csv:1:1: 70000F0: a stage or microbatch of 65536 or more; both are counted from 0"});
}

TEST(ReadSchedule, RefusesWhatPyTorchRefuses) {
  EXPECT_EQ(mistakes_of("0B0,0F0\n"), Lines{"s.csv:1:1: rank 0: 0B0: a backward before its forward, 0F0; "});
  EXPECT_EQ(mistakes_of("0F0,0W0,0I0\n"), Lines{"s.csv:1:5: rank 0: 0W0: gradients of weights before those of inputs, 0I0; "});
  EXPECT_EQ(mistakes_of("0F0,0B0\n0F1,0B1\n").at(0),
            "s.csv:2:1: rank 1: 0F1: stage 0 is on rank 0 already; a stage runs on one rank");
  EXPECT_EQ(mistakes_of("0F0,0B0\n1F0\n"),
            Lines{"s.csv:2:4: rank 1: 1B0 is missing; every stage runs forward and backward of every microbatch"});
  EXPECT_EQ(mistakes_of("0F0,0I0\n"),
            Lines{"s.csv:1:8: rank 0: 0W0 is missing; every stage runs forward and backward of every microbatch"});
  EXPECT_EQ(mistakes_of("0F0,0B0,2F0,2B0\n"),
            Lines{"s.csv:1:16: rank 0: no rank runs stage 1; stages are counted from 0; the last is 2"});
}

TEST(ReadSchedule, ASecondForwardOrBackwardIsAMistakeToo) {
  EXPECT_EQ(mistakes_of("0F0,0F0,0B0\n"), Lines{"s.csv:1:5: rank 0: 0F0: this forward has run already; "});
  EXPECT_EQ(mistakes_of("0F0,0B0,0I0\n"),
            Lines{"s.csv:1:9: rank 0: 0I0: the backward of stage 0 has run for microbatch 0 already; "});
}

TEST(ReadSchedule, NoPartOfAnOverlapWaitsForAnotherOrRunsTwice) {
  EXPECT_EQ(mistakes_of("(0F0;0B0)OVERLAP_F_B\n"), Lines{"s.csv:1:1: rank 0: 0B0: a backward before its forward, 0F0; "});
  EXPECT_EQ(mistakes_of("(0F0;0F0)OVERLAP_F_B,0B0\n"), Lines{"s.csv:1:1: rank 0: 0F0: this forward has run already; "});
}

TEST(ReadSchedule, GradientsOfWeightsInAnOverlapSplitTheBackward) {
  EXPECT_TRUE(splits_backward(read_schedule("0F0,0I0,0F1,(0I1;0W0)OVERLAP_F_B,(0W1)OVERLAP_F_B\n", "s.csv")));
  EXPECT_FALSE(splits_backward(read_schedule("0F0,(0F1;0B0)OVERLAP_F_B,0B1\n", "s.csv")));
}

}  // namespace
}  // namespace fxcut
