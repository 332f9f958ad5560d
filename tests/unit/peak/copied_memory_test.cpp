// The memory of copied storages, by hand.
#include "peak/copied_memory.h"

#include <gtest/gtest.h>

#include <limits>

namespace fxcut {
namespace {

// A forward and a backward of four nodes each, the last of them the output; each takes 10 ps.
struct FourEach {
  std::vector<NodeId> steps = {NodeId{0}, NodeId{1}, NodeId{2}, NodeId{3}, NodeId{4}, NodeId{5}, NodeId{6}, NodeId{7}};
  std::vector<Int128> times = {10, 10, 10, 0, 10, 10, 10, 0};
  HostChannel channel = {1, true, std::numeric_limits<std::int64_t>::max()};
  std::vector<SimulatedMemory> memories;

  // A storage that the forward uses last at a step, and the backward from one to the other.
  StorageCopy storage(std::int64_t bytes, std::uint32_t last_use, std::uint32_t first_use, std::uint32_t last) {
    const auto place = static_cast<std::uint32_t>(memories.size());
    memories.push_back({0, last_use, bytes, NodeId{0}, false});
    memories.push_back({4, last, bytes, NodeId{0}, true});
    return {NodeId{0}, false, bytes, place, place + 1, first_use};
  }
  double place(const std::vector<StorageCopy>& copies) { return place_copies(copies, {steps, 4}, {channel, times}, memories); }
};

TEST(CopiedMemory, IsThereUntilItsCopyEndsAndFromTheBeginOfTheCopyBack) {
  FourEach step;
  EXPECT_EQ(step.place({step.storage(8, 0, 6, 6)}), 0);
  EXPECT_EQ(step.memories[0].last_step, 1u) << "the copy runs during the second node";
  EXPECT_EQ(step.memories[1].first_step, 5u) << "8 ps before the third node";
}

TEST(CopiedMemory, CopiesShareTheirChannel) {
  FourEach step;
  EXPECT_EQ(step.place({step.storage(8, 0, 6, 6), step.storage(8, 0, 6, 6)}), 0);
  EXPECT_EQ(step.memories[0].last_step, 1u);
  EXPECT_EQ(step.memories[2].last_step, 2u) << "its copy ends at 26";
  EXPECT_EQ(step.memories[1].first_step, 4u) << "its copy begins at 4, for the other one's needs the channel from 12 on";
  EXPECT_EQ(step.memories[3].first_step, 5u);
}

TEST(CopiedMemory, TheForwardWaitsForItsLastCopies) {
  FourEach step;
  EXPECT_EQ(step.place({step.storage(15, 1, 6, 6)}), 5) << "20 + 15 is 5 after the end";
  EXPECT_EQ(step.memories[0].last_step, 2u) << "but for the output, the forward has it to the end";
}

TEST(CopiedMemory, InDialectsWithoutWaitsCopiesAreAtTheUses) {
  FourEach step;
  step.channel.is_by_time = false;
  EXPECT_EQ(step.place({step.storage(8, 0, 6, 6)}), 0);
  EXPECT_EQ(step.memories[0].last_step, 0u);
  EXPECT_EQ(step.memories[1].first_step, 6u);
}

TEST(CopiedMemory, WithoutOverlapTheDeviceWaitsForBoth) {
  FourEach step;
  step.channel.overlaps = false;
  EXPECT_EQ(step.place({step.storage(8, 0, 6, 6)}), 16);
  EXPECT_EQ(step.memories[1].first_step, 6u);
}

}  // namespace
}  // namespace fxcut
