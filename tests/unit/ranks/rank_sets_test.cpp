// Graphs that are the same on several ranks.
#include "ranks/ranks_report.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

using Items = std::vector<std::size_t>;

std::string set_of(const std::string& name) {
  const auto parsed = parse_rank_name(name);
  return parsed ? parsed->set + "@" + std::to_string(parsed->rank) : "none";
}

TEST(RankName, StandsBetweenSigns) {
  EXPECT_EQ(set_of("rank3/step"), "rank*/step@3");
  EXPECT_EQ(set_of("job/rank_12/a/b"), "job/rank_*/a/b@12");
  EXPECT_EQ(set_of("step.rank-0"), "step.rank-*@0");
  EXPECT_EQ(set_of("frank3/step"), "none");
  EXPECT_EQ(set_of("rank3b/step"), "none");
  EXPECT_EQ(set_of("rank/step"), "none");
  EXPECT_EQ(set_of("rank99999999999999999999/step"), "none");
}

TEST(RankName, LeavesOutATracesRandomPart) {
  EXPECT_EQ(set_of("dedicated_log_torch_trace_rank_2_a1b2c3d4/0"), "dedicated_log_torch_trace_rank_*/0@2");
  EXPECT_EQ(set_of("logs/dedicated_log_torch_trace_rank_2_a_b2c3__/0"), "logs/dedicated_log_torch_trace_rank_*/0@2");
  EXPECT_EQ(set_of("rank_2_a1b2c3d4/0"), "rank_*_a1b2c3d4/0@2");
}

TEST(RankName, IsReadFromATracesRecordsToo) {
  EXPECT_EQ(set_of("dedicated_log_torch_trace_rank_10_a1b2c3d4/joint_rank_10_0_0"),
            "dedicated_log_torch_trace_rank_*/joint_rank_*_0_0@10");
  EXPECT_EQ(set_of("rank1/joint_rank_10_0"), "rank*/joint_rank_10_0@1");
  EXPECT_EQ(set_of("trace/joint_rank_1_1_1"), "trace/joint_rank_*_1_1@1");
}

TEST(RankSets, AreInTheOrderOfTheirFirstNamesAndByRank) {
  const auto sets = rank_sets({"rank10/b", "rank2/b", "rank2/a", "rank10/a"});
  ASSERT_EQ(sets.size(), 2u);
  EXPECT_EQ(sets[0].name, "rank*/b");
  EXPECT_EQ(sets[0].items, (Items{1, 0}));
  EXPECT_EQ(sets[1].items, (Items{2, 3}));
}

TEST(RankSets, NeedARankInEachName) { EXPECT_THROW(rank_sets({"rank0/a", "a"}), Failure); }

TEST(RankSets, HaveOneGraphOfEachRank) { EXPECT_THROW(rank_sets({"rank0/a", "rank00/a"}), Failure); }

}  // namespace
}  // namespace fxcut
