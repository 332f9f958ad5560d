// One choice for several sizes against every choice: the storages of a small step have other bytes and costs at each size.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "extract/roles.h"
#include "frontier/search_within_each.h"
#include "graph_text.h"
#include "normalise/dead_code.h"
#include "seeds.h"
#include "small_training_step.h"

namespace fxcut {
namespace {

constexpr std::uint32_t kSizedSteps = seeds(300);

// A step at two or three sizes: bytes rise with the size, or are in any order, or what is large at one is small at another.
std::vector<ProblemAtSize> sizes_of_step(std::uint32_t seed) {
  const JointGraph joint = eliminate_dead_code(joint_graph(small_training_step(seed, 3 + static_cast<int>(seed % 6))));
  const Users users(joint.graph);
  const Roles roles = classify(joint, users);
  const std::vector<std::int64_t> distance = distance_from_backward(joint.graph, users, roles);
  const StorageBytes storages = storage_bytes(joint.graph);
  const Settings settings;
  const Analysis analysis{joint, users, roles, distance, settings};
  std::mt19937 random(seed);
  std::vector<ProblemAtSize> sizes;
  for (std::uint32_t p = 0; p < 2 + seed % 2; ++p) {
    std::vector<Int128> costs;
    for (const Node& node : joint.graph.nodes) costs.push_back(node.is_call() ? 1 + random() % 20 : 0);
    ProblemAtSize size{recompute_problem(analysis, storages, costs)};
    for (KeepableStorage& storage : size.problem.storages) {
      const bool is_large = (&storage - size.problem.storages.data()) % 2 == std::ptrdiff_t{p % 2};
      storage.bytes *= seed % 3 == 0   ? 1 + static_cast<std::int64_t>(random() % 9)
                       : seed % 3 == 1 ? (is_large ? 20 : 1)
                                       : 1 + std::int64_t{p};
    }
    sizes.push_back(std::move(size));
  }
  return sizes;
}

struct BestForEach {
  std::optional<Int128> run_cost;
  std::vector<std::int64_t> most_bytes;  // by size, of all feasible choices
};

// Every choice of storages.
BestForEach best_of_all(const std::vector<ProblemAtSize>& sizes, bool is_within) {
  const std::size_t storages = sizes.front().problem.storages.size();
  BestForEach best{std::nullopt, std::vector<std::int64_t>(sizes.size(), 0)};
  for (std::uint32_t chosen = 0; chosen < std::uint32_t{1} << storages; ++chosen) {
    KeptStorages kept(storages);
    for (std::size_t s = 0; s < storages; ++s) kept[s] = (chosen >> s & 1) != 0;
    const std::vector<Outcome> outcomes = outcomes_of(sizes, kept);
    Int128 cost = 0;
    bool fits = true;
    for (std::size_t p = 0; p < sizes.size(); ++p) {
      fits = fits && outcomes[p].feasible && (!is_within || outcomes[p].bytes <= sizes[p].limit_bytes);
      cost += sizes[p].counts ? outcomes[p].run_cost : 0;
    }
    if (!fits) continue;
    for (std::size_t p = 0; p < sizes.size(); ++p) best.most_bytes[p] = std::max(best.most_bytes[p], outcomes[p].bytes);
    if (!best.run_cost || cost < *best.run_cost) best.run_cost = cost;
  }
  return best;
}

// Limits between nothing and what the largest choice takes, different parts of it at each size.
void limit_at_random(std::vector<ProblemAtSize>& sizes, const BestForEach& all, std::mt19937& random) {
  const auto part = static_cast<std::int64_t>(random() % 100);
  for (std::size_t p = 0; p < sizes.size(); ++p) {
    const std::int64_t here = std::min<std::int64_t>(99, part + static_cast<std::int64_t>(random() % 20));
    sizes[p].limit_bytes = all.most_bytes[p] * here / 100;
  }
}

TEST(SearchWithinEach, NoChoiceWithinEachLimitIsBelowTheBoundAndAlmostAlwaysTheBestIsFound) {
  std::uint32_t solvable = 0, found = 0, optimal = 0, proven = 0;
  for (std::uint32_t seed = 1; seed <= kSizedSteps; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::vector<ProblemAtSize> sizes = sizes_of_step(seed);
    if (sizes.front().problem.storages.size() > 10) continue;
    const BestForEach all = best_of_all(sizes, false);
    if (!all.run_cost) continue;
    std::mt19937 random(seed);
    for (int i = 0; i < 4; ++i) {
      limit_at_random(sizes, all, random);
      for (ProblemAtSize& size : sizes) size.counts = i % 2 == 0 || &size == &sizes.back();
      const BestForEach best = best_of_all(sizes, true);
      const ChoiceForEach answer = search_within_each(sizes, {});
      if (!best.run_cost) {
        EXPECT_FALSE(answer.kept.has_value());
        continue;
      }
      ++solvable;
      EXPECT_FALSE(answer.is_impossible);
      EXPECT_LE(static_cast<long>(answer.bound), static_cast<long>(*best.run_cost));
      if (!answer.kept) continue;
      ++found;
      const std::vector<Outcome> outcomes = outcomes_of(sizes, *answer.kept);
      Int128 cost = 0;
      for (std::size_t p = 0; p < sizes.size(); ++p) {
        EXPECT_TRUE(outcomes[p].feasible);
        EXPECT_LE(outcomes[p].bytes, sizes[p].limit_bytes);
        cost += sizes[p].counts ? outcomes[p].run_cost : 0;
      }
      EXPECT_EQ(static_cast<long>(cost), static_cast<long>(answer.run_cost));
      EXPECT_GE(static_cast<long>(cost), static_cast<long>(*best.run_cost));
      optimal += cost == *best.run_cost ? 1u : 0u;
      proven += cost == answer.bound ? 1u : 0u;
    }
    if (HasFailure()) return;
  }
  RecordProperty("solvable", static_cast<int>(solvable));
  RecordProperty("optimal", static_cast<int>(optimal));
  RecordProperty("proven", static_cast<int>(proven));
  EXPECT_GT(solvable, kSizedSteps) << "hardly any limits can be met";
  EXPECT_GE(100 * found, 99 * solvable) << found << " of " << solvable;
  EXPECT_GE(100 * optimal, 98 * solvable) << optimal << " of " << solvable;
  EXPECT_GE(100 * proven, 85 * solvable) << proven << " of " << solvable;
}

}  // namespace
}  // namespace fxcut
