#include "frontier/rounded_limit.h"

#include <gtest/gtest.h>

#include <random>

#include "frontier/budget_search.h"

namespace fxcut {
namespace {

RecomputeProblem storages_of(const std::vector<std::int64_t>& sizes) {
  RecomputeProblem problem;
  for (const std::int64_t size : sizes) problem.storages.push_back({size, 1});
  return problem;
}

std::int64_t bytes_of(const RecomputeProblem& problem, std::uint32_t chosen) {
  std::int64_t bytes = 0;
  for (std::size_t s = 0; s < problem.storages.size(); ++s) bytes += (chosen >> s & 1) != 0 ? problem.storages[s].bytes : 0;
  return bytes;
}

TEST(RoundedLimit, HoldsForEveryChoiceWithinTheLimit) {
  std::mt19937 random(7);
  std::size_t within = 0, excluded = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::int64_t> sizes(8);
    for (std::int64_t& size : sizes) size = static_cast<std::int64_t>(random() % 3 == 0 ? random() % 40 : random() % 4 * 10);
    const RecomputeProblem problem = storages_of(sizes);
    const auto limit = static_cast<std::int64_t>(random() % 120), unit = static_cast<std::int64_t>(1 + random() % 30);
    const RoundedLimit rounded = rounded_limit(problem, limit, unit);
    for (std::uint32_t chosen = 0; chosen < 256; ++chosen) {
      const bool is_within = bytes_of(problem, chosen) <= limit, holds = bytes_of(rounded.problem, chosen) <= rounded.limit;
      EXPECT_TRUE(!is_within || holds) << "round " << round << ", choice " << chosen;
      ++(is_within ? within : excluded);
    }
  }
  EXPECT_GT(within, 10'000u);
  EXPECT_GT(excluded, 10'000u);
}

TEST(RoundedLimit, InUnitsOfOneByteIsTheLimit) {
  const RecomputeProblem problem = storages_of({7, 12, 30});
  const RoundedLimit rounded = rounded_limit(problem, 19, 1);
  EXPECT_EQ(rounded.limit, 19);
  for (std::size_t s = 0; s < 3; ++s) EXPECT_EQ(rounded.problem.storages[s].bytes, problem.storages[s].bytes);
}

TEST(CommonSizes, AreThoseOfTheMostBytesWithinTheLimit) {
  const RecomputeProblem problem = storages_of({0, 10, 10, 10, 25, 3, 3, 99});
  EXPECT_EQ(common_sizes(problem, 50, 2), (std::vector<std::int64_t>{10, 25}));
  EXPECT_EQ(common_sizes(problem, 100, 9), (std::vector<std::int64_t>{99, 10, 25, 3}));
}

// Five and a half of twelve equal values fit, together with small ones that could take the rest.
TEST(BudgetSearch, KeepsWholeStoragesAndProvesIt) {
  RecomputeProblem problem;
  problem.storages = {{0, 0}};
  problem.inputs_begin = {0};
  for (int i = 0; i < 21; ++i) {
    problem.storages.push_back({i < 12 ? 1000 : 60, 1});
    problem.items.push_back({.node = NodeId{0}, .storage = static_cast<StorageIndex>(i + 1), .savable = true, .demanded = true,
                             .run_cost = i < 12 ? 70'000 + i % 2 : 1});
    problem.inputs_begin.push_back(0);
  }
  const BudgetAnswer answer = search_within(problem, 5500, {});
  ASSERT_TRUE(answer.choice && answer.is_proven);
  EXPECT_TRUE(answer.choice->run_cost == 7 * 70'000 + 1 + 1);  // five of the six dear ones, and eight small ones
  EXPECT_LT(answer.parts, 200);
}

}  // namespace
}  // namespace fxcut
