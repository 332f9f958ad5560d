// The means that are left to the solver: which settings are tried, and what is taken of their partitions.
#include "partition/best_means.h"

#include <gtest/gtest.h>

#include <string_view>

#include "graph_text.h"
#include "settings/memory_limit.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

constexpr std::string_view kProducts = R"(
    primals_1 = placeholder : f32[64, 64]@0
    primals_2 = placeholder : f32[64, 64]@1
    tangents_1 = placeholder : f32[64, 64]@2
    mm = aten.mm.default(primals_1, primals_2) : f32[64, 64]@3
    mm_1 = aten.mm.default(mm, primals_2) : f32[64, 64]@4
    mm_2 = aten.mm.default(mm_1, primals_2) : f32[64, 64]@5
    mm_3 = aten.mm.default(tangents_1, mm_1) : f32[64, 64]@6
    mm_4 = aten.mm.default(mm_3, mm) : f32[64, 64]@7
    return mm_2 | mm_4, None)";

Settings within(std::int64_t bytes) {
  Settings settings;
  settings.activation_memory_budget_solver = frontier_solver();
  settings.saved_bytes_limit = limit_of_bytes(bytes);
  settings.offload = Offload::Auto;
  settings.offload_dialect = OffloadDialect::Ao;
  return settings;
}

TEST(BestMeans, EachIsLeftOutOnceAndAllTogether) {
  const JointGraph joint = joint_graph(kProducts);
  EXPECT_EQ(with_and_without_means(joint, Settings()).size(), 1u);
  Settings settings = within(0);
  EXPECT_EQ(with_and_without_means(joint, settings).size(), 2u);
  settings.compress = Compress::Auto;
  const std::vector<Settings> all = with_and_without_means(joint, settings);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all.front().offload, Offload::Auto);
  EXPECT_EQ(all.front().compress, Compress::Auto);
  EXPECT_EQ(all.back().offload, Offload::Marked);
  EXPECT_EQ(all.back().compress, Compress::None);
}

// Partitions of a saved value, at a cost for each limit of the host's memory; their copies wait longer than was counted.
Partition waiting(const Settings& settings) {
  Partition made;
  const std::int64_t most = settings.host_bytes_limit ? settings.host_bytes_limit->bytes : 4096;
  made.report.settings = settings;
  const Int128 bound = settings.host_bytes_limit ? 3 : 9;  // little work proves less, and of fewer decisions
  made.report.frontier = FrontierFacts{.run_cost = 10 + (most - 1024) * (most - 1024) / 1000, .bound = bound};
  if (settings.offload == Offload::Auto) made.report.frontier->host = HostFacts{most, 5, true};
  else made.report.frontier->run_cost = 5000;
  return made;
}

TEST(BestMeans, FewerCopiesAreTriedWhereTheyWaitLongerThanCounted) {
  const JointGraph joint = joint_graph(kProducts);
  const Settings settings = within(1000);
  const Attempt<Partition> best = best_by_means(with_and_without_means(joint, settings), joint.graph, kNeverHalt,
                                                [](const Settings& one, const HaltRequested&) { return Attempt(waiting(one)); });
  ASSERT_TRUE(best);
  EXPECT_EQ(best->report.frontier->host->bytes, 1024) << "a quarter";
  EXPECT_TRUE(best->report.frontier->bound == 9) << "of all, the fewer copies among them";
  EXPECT_EQ(with_means_of(settings, best->report).host_bytes_limit, limit_of_bytes(1024)) << "one search finds it again";
  EXPECT_FALSE(best->report.settings.host_bytes_limit) << "none was given";
  EXPECT_EQ(best->report.settings.budget_search_steps, settings.budget_search_steps);
}

// No decision that a cheaper one exists beside is said to be proven.
TEST(BestMeans, WhatIsTakenHasTheBoundOfAllThatWereTried) {
  const JointGraph joint = joint_graph(kProducts);
  const auto decide = [](const Settings& one, const HaltRequested&) {
    Partition made;
    made.report.settings = one;
    const bool copies = one.offload == Offload::Auto;
    made.report.frontier = copies ? FrontierFacts{.run_cost = 30, .bound = 10} : FrontierFacts{.run_cost = 20, .bound = 20};
    made.report.frontier->is_proven = !copies;
    return Attempt(std::move(made));
  };
  const Attempt<Partition> best = best_by_means(with_and_without_means(joint, within(1000)), joint.graph, kNeverHalt, decide);
  ASSERT_TRUE(best);
  EXPECT_TRUE(best->report.frontier->run_cost == 20);
  EXPECT_TRUE(best->report.frontier->bound == 10);
  EXPECT_FALSE(best->report.frontier->is_proven);
}

TEST(BestMeans, WhatAPolicyCopiesIsNotOnTheDevice) {
  JointGraph joint = joint_graph(kProducts);
  for (Node& node : joint.graph.nodes) {
    node.meta.should_offload = node.name == "mm_1";
    node.meta.offload_request = OffloadRequest::Preferred;
    if (node.meta.should_offload) node.meta.recompute = CheckpointPolicy::MustSave;
  }
  Settings settings = within(16384);
  settings.enable_activation_offloading = true;
  settings.host_bytes_limit = limit_of_bytes(0);  // of what is chosen
  const Report report = partition(joint, settings).report;
  EXPECT_EQ(report.totals.offloaded_bytes, 16384);
  EXPECT_EQ(report.totals.saved_bytes_not_static, 32768) << "room is left for the other";
  ASSERT_TRUE(report.frontier && report.frontier->host);
  EXPECT_EQ(report.frontier->saved_bytes, 16384);
  EXPECT_EQ(report.frontier->host->bytes, 0) << "nothing more was copied";
  EXPECT_TRUE(report.frontier->run_cost == report.frontier->host->waiting) << "nothing is recomputed";
  EXPECT_LE(report.frontier->bound, report.frontier->run_cost);
}

}  // namespace
}  // namespace fxcut
