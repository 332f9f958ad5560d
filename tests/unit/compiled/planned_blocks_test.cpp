// Blocks of a recording, matched with those that the code plans.
#include "compiled/planned_blocks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fxcut {
namespace {

// A step of one code, whose file begins in line 101 of the log. Each block is planned in a line of the log.
StepMemory planned_step(std::vector<std::pair<std::size_t, std::int64_t>> line_and_bytes) {
  StepMemory step;
  step.device = "cuda";
  step.code_files = {{CodeSide::Forward, "/tmp/torchinductor/cabc.py", 101}};
  for (const auto& [line, bytes] : line_and_bytes) {
    MemoryBlock block;
    block.device = "cuda";
    block.size_bytes = bytes;
    block.first = step.moments.size();
    step.moments.push_back({CodeSide::Forward, line, ""});
    step.blocks.push_back(std::move(block));
  }
  return step;
}

RecordedBlock recorded(std::int64_t bytes, std::vector<StackFrame> frames = {}) { return {0, bytes, false, std::move(frames)}; }

std::vector<MatchedBlock> matches(std::vector<RecordedBlock> blocks, const StepMemory& step) {
  return match_with_plan("snapshot.json", {0, 0, 0, std::move(blocks)}, {&step, 1}).matches;
}

std::vector<RecordedKind> kinds_of(const std::vector<MatchedBlock>& found) {
  std::vector<RecordedKind> kinds;
  for (const MatchedBlock& match : found) kinds.push_back(match.kind);
  return kinds;
}

TEST(MatchWithPlan, ALineOfTheCodePlansTheBlockOfItsSize) {
  const StepMemory step = planned_step({{105, 4096}, {105, 100}, {109, 4096}});
  const std::vector<StackFrame> in_line_5 = {{"aten/native.cpp", 3, ""}, {"/other/place/cabc.py", 5, "call"}};
  const std::vector<MatchedBlock> found = matches({recorded(512, in_line_5), recorded(4096, in_line_5)}, step);
  ASSERT_EQ(kinds_of(found), (std::vector<RecordedKind>{RecordedKind::PlannedByLine, RecordedKind::PlannedByLine}));
  EXPECT_EQ(found[0].block, 1U) << "100 bytes take a block of 512";
  EXPECT_EQ(found[1].block, 0U);
  EXPECT_EQ(found[1].line, 105U) << "of the log";
  EXPECT_EQ(found[1].frame, 1U);
}

TEST(MatchWithPlan, OtherAllocationsInTheCodeAreWorkspaces) {
  const StepMemory step = planned_step({{105, 4096}});
  const RecordedBlock of_another_size = recorded(9999, {{"cabc.py", 5, "call"}});
  const RecordedBlock in_another_line = recorded(4096, {{"cabc.py", 6, "call"}});
  const RecordedBlock of_the_model = recorded(4096, {{"model.py", 5, "forward"}});
  const std::vector<MatchedBlock> found = matches({of_another_size, in_another_line, of_the_model}, step);
  EXPECT_EQ(kinds_of(found), (std::vector<RecordedKind>{RecordedKind::Workspace, RecordedKind::Workspace, RecordedKind::Other}))
      << "where lines are known, sizes alone say nothing";
  EXPECT_EQ(found[1].line, 106U);
}

TEST(MatchWithPlan, TheCodeThatPlansInTheLineCountsIfAFileHasTwo) {
  StepMemory step = planned_step({{105, 4096}, {208, 512}});
  step.code_files.push_back({CodeSide::Backward, "/tmp/torchinductor/cabc.py", 201});
  const std::vector<MatchedBlock> found =
      matches({recorded(4096, {{"cabc.py", 5, "call"}}), recorded(512, {{"cabc.py", 8, "call"}})}, step);
  EXPECT_EQ(kinds_of(found), (std::vector<RecordedKind>{RecordedKind::PlannedByLine, RecordedKind::PlannedByLine}));
  EXPECT_EQ(found[0].line, 105U);
  EXPECT_EQ(found[1].line, 208U);
}

TEST(MatchWithPlan, WithoutLinesEachPlannedSizeIsTakenOnceAndThePeaksFirst) {
  StepMemory step = planned_step({{105, 4096}, {106, 4000}, {107, 64}});
  step.at_peak = {1};
  const std::vector<MatchedBlock> found = matches({recorded(4096), recorded(4096), recorded(4096), recorded(512)}, step);
  EXPECT_EQ(kinds_of(found), (std::vector<RecordedKind>{RecordedKind::PlannedBySize, RecordedKind::PlannedBySize,
                                                        RecordedKind::Other, RecordedKind::PlannedBySize}));
  EXPECT_EQ(found[0].block, 1U) << "in use at the plan's peak";
  EXPECT_EQ(found[1].block, 0U);
  EXPECT_EQ(found[3].line, 107U);
}

TEST(MatchWithPlan, TheOptimizersAndEarlierBlocksAreNotThePlans) {
  const StepMemory step = planned_step({{105, 4096}});
  RecordedBlock before = recorded(4096);
  before.was_there_before = true;
  RecordedBlock moments = recorded(4096, {{"c10/alloc.cpp", 1, ""}, {"torch/optim/adam.py", 9, "step"}, {"train.py", 3, ""}});
  moments.was_there_before = true;
  const std::vector<MatchedBlock> found = matches({before, moments}, step);
  EXPECT_EQ(kinds_of(found), (std::vector<RecordedKind>{RecordedKind::Before, RecordedKind::Optimizer}));
  EXPECT_EQ(found[1].frame, 1U) << "the innermost of Python";
}

}  // namespace
}  // namespace fxcut
