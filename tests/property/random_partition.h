// Partitions of random joint graphs, under random settings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "diagnostic/diagnostic.h"
#include "partition/partition.h"
#include "settings/settings.h"
#include "verify/verify.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {

inline constexpr std::uint32_t kGraphs = 300;

// Drawn by the seed: the graph, of either release, and the settings, of which the partitioner is one, whether and how
// values are offloaded another, and whether the frontier solver decides a third.
std::string random_text(std::uint32_t seed);
Settings random_settings(std::uint32_t seed);

// The partition, within a limit of the peak if the settings have one; nullopt if there is none.
std::optional<Partition> partition_if_any(const JointGraph& joint, const Settings& settings);

// Whether numbers are drawn anew. PyTorch bans recomputing a random operator only where the forward needs it for its own
// outputs: one that it needs for what it saves may be drawn again. The frontier solver does not do that.
bool draws_again(const Verification& found);

// Calls `check` with each partition, its joint graph and its seed; graphs that cannot be partitioned are counted and
// left out.
template <typename Check>
void for_each_partition(const Check& check) {
  std::uint32_t partitions = 0;
  for (std::uint32_t seed = 1; seed <= kGraphs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const JointGraph joint = joint_graph(random_text(seed));
    try {
      check(joint, partition(joint, random_settings(seed)), seed);
      ++partitions;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), ExitStatus::NoPartition) << failure.what();
    }
  }
  EXPECT_GT(partitions, kGraphs / 2) << "most graphs cannot be partitioned";
}

}  // namespace fxcut
