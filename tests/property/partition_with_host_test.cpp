// Within a limit of saved bytes copies to the host never make a decision worse, and what is said of the best holds for decisions
// with less room on the host as well.
#include <gtest/gtest.h>

#include <optional>

#include "graph_text.h"
#include "partition/search_facts.h"
#include "random_joint_graph.h"
#include "random_partition.h"
#include "seeds.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

constexpr std::uint32_t kGraphs = 24;
constexpr double kSlowAndFast[] = {1e4, 1e6, 1e7, 1e8};  // GiB a second: operators take a picosecond

Settings within(const MemoryLimit& limit) {
  Settings settings;
  settings.activation_memory_budget_solver = frontier_solver();
  settings.saved_bytes_limit = limit;
  return settings;
}

Settings copying_within(Settings settings, std::uint32_t seed) {
  settings.offload = Offload::Auto;
  settings.offload_dialect = seed % 4 == 0 ? OffloadDialect::Xla : OffloadDialect::Ao;
  settings.activation_offload_cpu_gpu_bw = kSlowAndFast[seed % std::size(kSlowAndFast)];
  return settings;
}

TEST(PartitionWithHost, IsNoWorseThanWithoutAndBoundedBelowThoseWithLessHostMemory) {
  std::size_t copied = 0;
  for (std::uint32_t seed = 1; seed <= seeds(kGraphs); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const JointGraph joint = joint_graph(random_joint_graph(seed, {.primals = 3, .forward_calls = 14, .backward_calls = 14}));
    Settings alone = within(least_limit());
    const auto least = partition_if_any(joint, alone);
    if (!least || !least->report.frontier) continue;
    alone.saved_bytes_limit = limit_of_bytes(least->report.frontier->saved_bytes * static_cast<std::int64_t>(4 + seed % 3) / 4);
    Settings copying = copying_within(alone, seed);
    const auto recomputed = partition_if_any(joint, alone), best = partition_if_any(joint, copying);
    ASSERT_TRUE(recomputed && best);
    const FrontierFacts& facts = *best->report.frontier;
    EXPECT_TRUE(compared_cost(*best) <= compared_cost(*recomputed));
    EXPECT_TRUE(facts.bound <= facts.run_cost);
    const std::int64_t bytes = facts.host ? facts.host->bytes : least->report.frontier->saved_bytes;
    if (facts.host && bytes > 0) ++copied;
    for (const std::int64_t part : {2, 3, 8}) {
      copying.host_bytes_limit = limit_of_bytes(bytes / part);
      const auto less = partition_if_any(joint, copying);
      ASSERT_TRUE(less);
      EXPECT_TRUE(facts.bound <= less->report.frontier->run_cost) << "said to be impossible";
    }
  }
  if (seeds(kGraphs) < kGraphs) return;  // an eighth of the graphs may have no copy
  EXPECT_GT(copied, 5u) << "the graphs hardly test this";
}

}  // namespace
}  // namespace fxcut
