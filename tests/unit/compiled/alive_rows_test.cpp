// The contents of a peak of compiled memory.
#include "compiled/alive_rows.h"

#include <gtest/gtest.h>

#include <string>

namespace fxcut {
namespace {

MemoryBlock block(std::int64_t bytes, std::string made_by, std::size_t first) {
  MemoryBlock one;
  one.size_bytes = bytes;
  one.made_by = std::move(made_by);
  one.first = first;
  one.last = 9;
  return one;
}

// A forward's moment and a backward's, which is the peak.
StepMemory step_of(std::vector<MemoryBlock> blocks) {
  StepMemory step;
  step.moments = {{CodeSide::Forward, 1, "forward"}, {CodeSide::Backward, 2, "backward"}};
  step.peak_at = 1;
  step.blocks = std::move(blocks);
  for (std::size_t b = 0; b < step.blocks.size(); ++b) step.at_peak.push_back(b);
  return step;
}

TEST(AliveRows, BlocksOfOneKernelAndSizeAreOneRow) {
  std::vector<MemoryBlock> blocks = {block(100, "mm", 1), block(60, "gelu", 1), block(60, "gelu", 1)};
  EXPECT_EQ(alike_at_peak(step_of(blocks)), (std::vector<std::vector<std::size_t>>{{1, 2}, {0}})) << "120 bytes before 100";
  blocks[2].source = "model.py:12";
  EXPECT_EQ(alike_at_peak(step_of(blocks)).size(), 3u) << "of another line";
  blocks[2] = block(60, "gelu", 0);
  EXPECT_EQ(alike_at_peak(step_of(blocks)).size(), 3u) << "of the forward";
}

TEST(AliveRows, SavedAndUnsavedBlocksAreNotAlike) {
  std::vector<MemoryBlock> blocks = {block(60, "gelu", 0), block(60, "gelu", 0)};
  blocks[1].saved_as = "gelu";
  EXPECT_EQ(alike_at_peak(step_of(blocks)).size(), 2u);
}

TEST(AliveRows, KindsAddUpToTheBlocksAtThePeak) {
  std::vector<MemoryBlock> blocks = {block(1, "a", 0), block(2, "b", 1), block(4, "c", 1), block(8, "d", 1), block(16, "e", 1)};
  blocks[0].saved_as = "a";
  blocks[1].last = MemoryBlock::kKept;  // a gradient
  blocks[2].kind = BlockKind::Tangent;
  blocks[3].kind = BlockKind::Workspace;
  const std::vector<KindAtPeak> kinds = kinds_at_peak(step_of(blocks));
  ASSERT_EQ(kinds.size(), 5u);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    EXPECT_EQ(kinds[i].kind, static_cast<AliveKind>(i));
    EXPECT_TRUE(kinds[i].bytes == (Int128{1} << i)) << i;
    EXPECT_EQ(kinds[i].blocks, 1u);
  }
}

TEST(AliveRows, AResultOfTheForwardIsNoGradient) {
  MemoryBlock loss = block(4, "sum", 0);
  loss.last = MemoryBlock::kKept;
  EXPECT_EQ(kind_of(step_of({loss}), loss), AliveKind::Temporary);
}

}  // namespace
}  // namespace fxcut
