// Under a limit of the peak copies to the host never make a step slower, and the limit holds by an independent count.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "counted_partition.h"
#include "graph_text.h"
#include "random_joint_graph.h"
#include "random_partition.h"
#include "seeds.h"

namespace fxcut {
namespace {

constexpr std::uint32_t kCopiedGraphs = 280;
constexpr double kGibPerSecond[] = {1e4, 1e6, 1e7, 1e8};  // the last hides every copy

Int128 most_counted(const JointGraph& joint, const Partition& partition) {
  const CountedMemory counted = count_partition(joint, partition);
  return *std::max_element(counted.bytes.begin(), counted.bytes.end());
}

TEST(PeakWithHost, TheLimitHoldsAndNoStepIsSlowerThanByRecomputingAlone) {
  std::size_t copied = 0, faster = 0;
  for (std::uint32_t seed = 1; seed <= seeds(kCopiedGraphs); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const JointGraph joint = joint_graph(random_joint_graph(seed, {.primals = 3, .forward_calls = 14, .backward_calls = 14}));
    Settings alone;
    alone.peak_bytes_limit = parse_memory_limit("least");
    const auto without_limit = partition_if_any(joint, {}), least = partition_if_any(joint, alone);
    if (!without_limit || !least) continue;
    const Int128 usual = without_limit->memory.peak_bytes(), lowest = least->memory.peak_bytes();
    alone.peak_bytes_limit = limit_of_bytes(static_cast<std::int64_t>(lowest + (seed % 3) * (usual - lowest) / 4));
    Settings copying = alone;
    copying.offload = Offload::Auto;
    copying.offload_dialect = seed % 4 == 0 ? OffloadDialect::Xla : OffloadDialect::Ao;
    copying.activation_offload_cpu_gpu_bw = kGibPerSecond[seed % std::size(kGibPerSecond)];
    const auto best = partition_if_any(joint, alone), found = partition_if_any(joint, copying);
    if (!found) {
      EXPECT_FALSE(best);
      continue;
    }
    EXPECT_TRUE(most_counted(joint, *found) <= alone.peak_bytes_limit->bytes);
    if (!found->report.frontier) continue;  // nothing to decide
    const FrontierFacts& facts = *found->report.frontier;
    EXPECT_TRUE(facts.bound <= facts.run_cost);
    if (facts.host && facts.host->bytes > 0) ++copied;
    if (!best) continue;
    EXPECT_TRUE(facts.run_cost <= best->report.frontier->run_cost);
    if (facts.run_cost < best->report.frontier->run_cost) ++faster;
  }
  if (seeds(kCopiedGraphs) < kCopiedGraphs) return;  // an eighth of the graphs may have no copy
  EXPECT_GT(copied, 10) << "the graphs hardly test this";
  EXPECT_GT(faster, 5);
}

TEST(PeakWithHost, TheLeastPeakIsNoHigherThanByRecomputingAloneAndCostsWhatItCostsAsALimit) {
  std::size_t lower = 0, compared = 0;
  for (std::uint32_t seed = 1; seed <= seeds(150); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const JointGraph joint = joint_graph(random_joint_graph(seed, {.primals = 3, .forward_calls = 14, .backward_calls = 14}));
    Settings alone;
    alone.peak_bytes_limit = parse_memory_limit("least");
    Settings copying = alone;
    copying.offload = Offload::Auto;
    copying.offload_dialect = OffloadDialect::Ao;
    copying.activation_offload_cpu_gpu_bw = kGibPerSecond[seed % std::size(kGibPerSecond)];
    const auto recomputed = partition_if_any(joint, alone), copied = partition_if_any(joint, copying);
    if (!recomputed || !copied || !copied->report.frontier) continue;
    ++compared;
    const Int128 lowest = copied->memory.peak_bytes();
    EXPECT_TRUE(lowest <= recomputed->memory.peak_bytes());
    if (lowest < recomputed->memory.peak_bytes()) ++lower;
    copying.peak_bytes_limit = limit_of_bytes(static_cast<std::int64_t>(lowest));
    const auto as_limit = partition_if_any(joint, copying);
    ASSERT_TRUE(as_limit);
    EXPECT_TRUE(as_limit->report.frontier->run_cost <= copied->report.frontier->run_cost);
  }
  if (seeds(kCopiedGraphs) < kCopiedGraphs) return;
  EXPECT_GT(compared, 20u);
  EXPECT_GT(lower, 0u) << "copies never reach a lower peak";
}

}  // namespace
}  // namespace fxcut
