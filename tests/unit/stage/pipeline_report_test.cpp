// The output of fxcut pipeline.
#include "stage/pipeline_report.h"

#include <gtest/gtest.h>

#include "schedule/known_schedules.h"

namespace fxcut {
namespace {

PipelineReport two_stages() {
  StageChoice choice;
  choice.times = {1, 2, 0, 0};
  choice.bytes.held = 5;
  choice.bytes.backward = 10;
  PipelineReport report;
  report.schedule_name = "1F1B";
  report.schedule = make_schedule(*find_schedule("1F1B"), {2, 1, 2});
  report.stages = {{"first", choice}, {"last", choice}};
  report.device = "h100";
  return run_pipeline(std::move(report));
}

TEST(PipelineReport, TheHighestRankIsTheFirstOfThem) {
  const PipelineReport report = two_stages();
  EXPECT_EQ(report.highest_rank(), 0U);
  EXPECT_EQ(report.memory[0].peak(), 15);
  EXPECT_EQ(report.memory[1].peak(), 10);
  EXPECT_EQ(report.in_flight, (std::vector<int>{2, 1}));
}

TEST(PipelineReport, TheBoundSaysHowFarAPlanCanBeFromTheBest) {
  PipelineReport report = two_stages();
  EXPECT_EQ(report.step.step_ms, 9);
  EXPECT_EQ(pipeline_text(report).find("bound"), std::string::npos);
  report.least_step_ms = 9;
  EXPECT_NE(pipeline_text(report).find("no plan of these decisions is faster\n"), std::string::npos);
  report.least_step_ms = 8.5;
  EXPECT_NE(pipeline_text(report).find("a plan of these decisions is at most 500 us faster\n"), std::string::npos);
}

}  // namespace
}  // namespace fxcut
