#include "frontier/path_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>

#include "frontier/decision_order.h"
#include "frontier/decision_states.h"

namespace fxcut {
namespace {

constexpr std::uint32_t kProblems = 1500;

void add_item(RecomputeProblem& problem, const Item& item, std::vector<ItemIndex> inputs) {
  std::ranges::sort(inputs);
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  problem.items.push_back(item);
  problem.inputs.insert(problem.inputs.end(), inputs.begin(), inputs.end());
  problem.inputs_begin.push_back(static_cast<std::uint32_t>(problem.inputs.size()));
}

RecomputeProblem without_items() {
  RecomputeProblem problem;
  problem.storages = {{0, 0}};
  problem.inputs_begin = {0};
  return problem;
}

// With everything that an item can be: shared and free storages, not savable, never recomputed, not in the forward.
RecomputeProblem random_problem(std::uint32_t seed) {
  std::mt19937 random(seed);
  RecomputeProblem problem = without_items();
  const std::int64_t large = seed % 2 == 0 ? 8 : 1 << 20;  // so that a unit is more than a byte
  const auto items = static_cast<ItemIndex>(5 + random() % 7);
  for (ItemIndex i = 0; i < items; ++i) {
    Item item{.node = NodeId{i}, .demanded = random() % 3 == 0, .run_cost = random() % 4 == 0 ? 1 : 100 * (random() % 4)};
    const auto kind = random() % 8;
    item.savable = kind > 0;
    if (kind == 1) {
      item.storage = kFreeStorage;
    } else if (kind > 1) {
      const bool shares = kind < 4 && problem.storages.size() > 1;
      if (!shares) problem.storages.push_back({static_cast<std::int64_t>(1 + random() % 5) * (random() % 3 == 0 ? 1 : large), 1});
      const std::size_t last = problem.storages.size() - 1;
      item.storage = static_cast<StorageIndex>(shares ? 1 + random() % last : last);
    }
    if (item.savable && random() % 6 == 0) item.never = Ban::RandomOperator;
    item.in_forward = item.never != Ban::None || random() % 4 == 0;
    std::vector<ItemIndex> inputs;
    for (auto n = random() % 4; i > 0 && n > 0; --n) {
      inputs.push_back(i - 1 - static_cast<ItemIndex>(random() % std::min<ItemIndex>(i, 4)));
    }
    add_item(problem, item, std::move(inputs));
  }
  for (ItemIndex i = items; i-- > 0;) {
    for (const ItemIndex input : problem.inputs_of(i)) problem.items[input].in_forward |= problem.items[i].in_forward;
  }
  return problem;
}

struct BruteForce {
  // The least run cost, by bytes, among choices that do not keep this storage.
  BruteForce(const RecomputeProblem& problem, StorageIndex dropped) {
    Evaluation evaluation(problem);
    const std::size_t storages = problem.storages.size() - 1;
    for (std::uint32_t chosen = 0; chosen < std::uint32_t{1} << storages; ++chosen) {
      KeptStorages kept(problem.storages.size(), false);
      for (std::size_t s = 0; s < storages; ++s) kept[s + 1] = (chosen >> s & 1) != 0;
      if (dropped != kNoStorage && kept[dropped]) continue;
      const Outcome outcome = evaluation.run(kept);
      if (!outcome.feasible) continue;
      const auto [at, is_new] = least.emplace(outcome.bytes, outcome.run_cost);
      at->second = std::min(at->second, outcome.run_cost);
      if (least.begin()->first == outcome.bytes) smallest = kept;
    }
  }
  std::map<std::int64_t, Int128> least;
  KeptStorages smallest;
};

TEST(PathSearch, FindsTheBestWithinEveryLimit) {
  std::uint32_t limits = 0, better = 0;
  for (std::uint32_t seed = 1; seed <= kProblems; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RecomputeProblem problem = random_problem(seed);
    Fixings fixings = all_open(problem);
    StorageIndex dropped = kNoStorage;
    if (seed % 3 == 0 && problem.storages.size() > 1) {
      dropped = 1 + seed % static_cast<StorageIndex>(problem.storages.size() - 1);
      fixings[dropped] = Fixing::Dropped;
    }
    const BruteForce all(problem, dropped);
    std::optional<Int128> best;
    for (const auto& [bytes, run_cost] : all.least) {
      best = best ? std::min(*best, run_cost) : run_cost;
      const SearchLimits unlimited;
      WorkBudget work(unlimited, problem.items.size());
      Incumbent incumbent(problem, bytes, work);
      incumbent.offer(all.smallest);
      ASSERT_TRUE(incumbent.best());
      better += *best < incumbent.best()->run_cost ? 1u : 0u;
      const Int128 bound = search_paths(problem, fixings, 0, incumbent);
      EXPECT_EQ(static_cast<long>(incumbent.best()->run_cost), static_cast<long>(*best)) << "within " << bytes;
      EXPECT_EQ(static_cast<long>(bound), static_cast<long>(*best)) << "within " << bytes;
      ++limits;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(limits, kProblems);
  EXPECT_GT(better, kProblems) << "the first choice is mostly the best";
}

// Equal layers of a product and two cheap values, of which the backward needs all.
RecomputeProblem layers(std::uint32_t number) {
  RecomputeProblem problem = without_items();
  for (ItemIndex i = 0; i < 3 * number; ++i) {
    problem.storages.push_back({i % 3 == 0 ? 1000 : 400, 1});
    std::vector<ItemIndex> inputs;
    if (i > 0) inputs = {i - 1, i >= 3 ? i - 3 : 0};
    const Int128 run_cost = i % 3 == 0 ? 7000 : 90;
    add_item(problem, {.node = NodeId{i}, .storage = i + 1, .savable = true, .demanded = true, .run_cost = run_cost}, inputs);
  }
  return problem;
}

TEST(PathSearch, IsForLayersAsManyTimesTheWork) {
  const SearchLimits unlimited;
  std::vector<std::int64_t> steps;
  for (const std::uint32_t number : {100u, 200u, 400u}) {
    const RecomputeProblem problem = layers(number);
    WorkBudget work(unlimited, problem.items.size());
    ASSERT_TRUE(decision_states(problem, all_open(problem), 1'000'000'000, work));
    steps.push_back(work.steps());
  }
  EXPECT_NEAR(static_cast<double>(steps[1]) / static_cast<double>(steps[0]), 2, 0.1);
  EXPECT_NEAR(static_cast<double>(steps[2]) / static_cast<double>(steps[1]), 2, 0.1);
}

TEST(PathSearch, EndsWhereStatesTakeTooMuchWork) {
  const RecomputeProblem problem = layers(100);
  const SearchLimits unlimited;
  WorkBudget work(unlimited, problem.items.size());
  EXPECT_FALSE(decision_states(problem, all_open(problem), 1000, work));
  EXPECT_LT(work.steps(), 2000);
}

TEST(DecisionOrder, DecidesOnUsersFirst) {
  for (std::uint32_t seed = 1; seed <= kProblems; ++seed) {
    const RecomputeProblem problem = random_problem(seed);
    const std::vector<ItemIndex> order = decision_order(problem);
    ASSERT_EQ(order.size(), problem.items.size());
    std::vector<std::size_t> place(order.size(), order.size());
    for (std::size_t at = 0; at < order.size(); ++at) place[order[at]] = at;
    for (ItemIndex i = 0; i < order.size(); ++i) {
      for (const ItemIndex input : problem.inputs_of(i)) EXPECT_LT(place[i], place[input]) << "seed " << seed;
    }
  }
}

// Three layers, then what only the backward uses: a transpose of each layer's value, and a weight, which comes first.
TEST(DecisionOrder, DecidesOnWhatBelongsTogetherTogether) {
  RecomputeProblem problem = without_items();
  for (StorageIndex s = 1; s <= 7; ++s) problem.storages.push_back({100, 1});
  const auto item = [](StorageIndex storage) { return Item{.node = NodeId{0}, .storage = storage, .savable = true}; };
  Item weight = item(1);
  weight.never = Ban::PrimalInput;
  add_item(problem, weight, {});
  add_item(problem, item(2), {});
  add_item(problem, item(3), {0, 1});
  add_item(problem, item(4), {2});
  for (const ItemIndex transposed : {1u, 2u, 3u}) {
    Item transpose = item(transposed + 4);
    transpose.in_forward = false;
    add_item(problem, transpose, {transposed});
  }
  EXPECT_EQ(decision_order(problem), (std::vector<ItemIndex>{6, 3, 5, 2, 0, 4, 1}));
}

}  // namespace
}  // namespace fxcut
