// The simulated memory is what verify counts, step by step, on random joint graphs and on recorded ones.
#include "memory/memory_profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "counted_partition.h"
#include "random_partition.h"
#include "read/read_file.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

void expect_equal(const JointGraph& joint, const Partition& result) {
  const MemoryProfile& profile = result.memory;
  const CountedMemory counted = count_partition(joint, result);
  EXPECT_EQ(profile.static_bytes, counted.bytes_of(CountedBuffer::Owner::Parameters));
  EXPECT_EQ(profile.input_bytes, counted.bytes_of(CountedBuffer::Owner::Inputs));
  ASSERT_EQ(profile.curve.size(), counted.bytes.size());
  for (std::size_t s = 0; s < counted.bytes.size(); ++s) {
    ASSERT_TRUE(profile.curve[s].bytes == counted.bytes[s]) << counted.steps[s].node->name;
  }
  const auto highest = std::max_element(counted.bytes.begin(), counted.bytes.end());
  EXPECT_EQ(profile.peak_step, static_cast<std::size_t>(highest - counted.bytes.begin()));
}

TEST(Memory, IsWhatVerifyCountsOnRandomGraphs) {
  for_each_partition(
      [](const JointGraph& joint, const Partition& result, std::uint32_t) { expect_equal(joint, result); });
}

TEST(Memory, ValuesAliveAtThePeakAddUpToIt) {
  for_each_partition([](const JointGraph&, const Partition& result, std::uint32_t) {
    Int128 sum = 0;
    for (const Allocation& allocation : result.memory.at_peak) sum += allocation.size_bytes;
    EXPECT_TRUE(sum == result.memory.peak_bytes());
  });
}

// Those that PyTorch traced: in graphs made by hand the storage numbers need not fit the operators.
std::set<std::filesystem::path> recorded_graphs() {
  std::set<std::filesystem::path> graphs = {FXCUT_TESTDATA "/llama3_8b.json"};
  for (const auto& entry : std::filesystem::directory_iterator(FXCUT_TESTDATA "/models")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".json") && !name.ends_with(".expected.json")) graphs.insert(entry.path());
  }
  return graphs;
}

Settings offloading(bool separate_stream) {
  Settings settings;
  settings.enable_activation_offloading = true;
  settings.activation_offload_separate_stream = separate_stream;
  return settings;
}

std::vector<Settings> ways_to_partition() {
  Settings aggressive, by_default;
  aggressive.aggressive_recomputation = true;
  by_default.partitioner = Partitioner::Default;
  return {{}, aggressive, by_default, offloading(false), offloading(true)};
}

TEST(Memory, IsWhatVerifyCountsOnRecordedGraphs) {
  std::size_t compared = 0, tried = 0;
  for (const std::filesystem::path& path : recorded_graphs()) {
    const auto document = Document::parse(read_file(path.string()), path.filename().string());
    const JointGraph joint = read_joint_graph(*document);
    for (const Settings& settings : ways_to_partition()) {
      SCOPED_TRACE(path.filename().string());
      ++tried;
      try {
        expect_equal(joint, partition(joint, settings));
        ++compared;
      } catch (const Failure& failure) {
        EXPECT_EQ(failure.status(), ExitStatus::NoPartition) << failure.what();
      }
    }
  }
  EXPECT_GT(compared, tried / 2) << "most graphs cannot be partitioned";
}

}  // namespace
}  // namespace fxcut
