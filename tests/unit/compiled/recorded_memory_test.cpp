// Snapshots in the form of torch.cuda.memory: what is in use at their peak.
#include "compiled/recorded_memory.h"

#include <gtest/gtest.h>

#include <limits>

#include "diagnostic/diagnostic.h"
#include "graph/device_blocks.h"

namespace fxcut {
namespace {

std::string event(std::string_view action, int address, int size) {
  return "{\"action\": \"" + std::string(action) + "\", \"addr\": " + std::to_string(address) + ", \"size\": " +
         std::to_string(size) + ", \"frames\": []}";
}

std::string snapshot(const std::string& blocks, const std::string& events, int total_size = 4096) {
  return R"({"segments": [{"device": 0, "address": 1024, "total_size": )" + std::to_string(total_size) + ", \"blocks\": [" +
         blocks + "]}], \"device_traces\": [[" + events + "]]}";
}

TEST(RecordedPeak, IsWhereMostIsInUse) {
  const RecordedPeak peak = recorded_peak(snapshot("", event("alloc", 1024, 100) + "," + event("alloc", 2048, 50) + "," +
                                                           event("free_requested", 1024, 100) + "," + event("alloc", 3072, 60)),
                                          "s.json");
  EXPECT_EQ(peak.bytes, 150);
  ASSERT_EQ(peak.blocks.size(), 2U);
  EXPECT_EQ(peak.blocks[0].address, 1024U);
  EXPECT_FALSE(peak.blocks[0].was_there_before);
}

TEST(RecordedPeak, CountsWhatWasThereBefore) {
  const std::string at_the_end = R"({"size": 512, "requested_size": 300, "state": "active_allocated", "frames": []})";
  const RecordedPeak peak =
      recorded_peak(snapshot(at_the_end, event("alloc", 2048, 50) + "," + event("free_requested", 3072, 20)), "s.json");
  EXPECT_EQ(peak.bytes, 300 + 20 + 50);
  ASSERT_EQ(peak.blocks.size(), 3U);
  EXPECT_TRUE(peak.blocks[0].was_there_before && peak.blocks[2].was_there_before);
}

TEST(RecordedPeak, AnAddressThatIsUsedAgainIsAnotherBlock) {
  const std::string at_the_end = R"({"size": 512, "requested_size": 300, "state": "active_allocated", "frames": []})";
  const RecordedPeak peak = recorded_peak(
      snapshot(at_the_end, event("free_requested", 1024, 200) + "," + event("alloc", 1024, 300)), "s.json");
  EXPECT_EQ(peak.bytes, 300) << "and 200 before, not 500";
}

TEST(RecordedPeak, TellsWhatWasReservedThen) {
  const std::string events = event("alloc", 1024, 100) + "," + event("segment_free", 9216, 1000) + "," +
                             event("segment_alloc", 9216, 3000) + "," + event("free_requested", 1024, 100);
  EXPECT_EQ(recorded_peak(snapshot("", events), "s.json").reserved_bytes, 4096 - 3000 + 1000);
}

TEST(RoundedAsAllocated, IsTheNextMultipleThatFits) {
  EXPECT_EQ(rounded_as_allocated(0), 0);
  EXPECT_EQ(rounded_as_allocated(512), 512);
  EXPECT_EQ(rounded_as_allocated(513), 1024);
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(rounded_as_allocated(kLargest), kLargest - 511);
}

TEST(RecordedPeak, RefusesWhatIsNoSnapshot) {
  EXPECT_THROW(recorded_peak("\x80\x04.", "s.pickle"), Failure);
  EXPECT_THROW(recorded_peak("{}", "s.json"), Failure);
  EXPECT_THROW(recorded_peak(snapshot("", ""), "s.json"), Failure);
}

}  // namespace
}  // namespace fxcut
