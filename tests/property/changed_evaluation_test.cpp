// Outcomes of choices that differ in one storage or in several, against a pass over all items.
#include "frontier/changed_evaluation.h"

#include <gtest/gtest.h>

#include <random>

#include "seeds.h"

namespace fxcut {
namespace {

constexpr std::uint32_t kProblems = seeds(400);

// Some of several values in a storage are its views; some must not be recomputed, some only run where they are saved.
RecomputeProblem random_problem(std::mt19937& random) {
  const auto below = [&](std::uint32_t several) { return static_cast<std::uint32_t>(random() % several); };
  const auto one_of = [&](std::uint32_t several) { return below(several) == 0; };
  const std::uint32_t items = 2 + below(40), storages = 1 + below(20);
  RecomputeProblem problem;
  problem.storages.resize(1 + storages);
  for (StorageIndex s = 1; s <= storages; ++s) problem.storages[s] = {1 + below(9), 1, below(4)};
  for (ItemIndex i = 0; i < items; ++i) {
    Item item;
    item.node = node_id(i);
    item.savable = !one_of(4);
    if (item.savable) item.storage = one_of(8) ? kFreeStorage : 1 + below(storages);
    item.demanded = one_of(3);
    item.never = one_of(9) ? Ban::RandomOperator : Ban::None;
    item.in_forward = !one_of(4);
    item.run_cost = below(6);
    problem.items.push_back(item);
    problem.inputs_begin.push_back(static_cast<std::uint32_t>(problem.inputs.size()));
    for (ItemIndex input = i > 5 ? i - 5 : 0; input < i; ++input) {
      if (one_of(3)) problem.inputs.push_back(input);
    }
  }
  problem.inputs_begin.push_back(static_cast<std::uint32_t>(problem.inputs.size()));
  return problem;
}

KeptStorages random_choice(std::mt19937& random, std::size_t storages) {
  KeptStorages kept(storages);
  for (std::size_t s = 1; s < storages; ++s) kept[s] = random() % 3 != 0;
  return kept;
}

void expect_same(const Outcome& changed, const Outcome& whole) {
  EXPECT_EQ(changed.feasible, whole.feasible);
  if (!whole.feasible) return;
  EXPECT_TRUE(changed.run_cost == whole.run_cost);
  EXPECT_TRUE(changed.keep_cost == whole.keep_cost);
  EXPECT_EQ(changed.bytes, whole.bytes);
}

TEST(ChangedEvaluation, ChangesOfSeveralStoragesEqualAFullEvaluation) {
  std::uint32_t feasible = 0, infeasible = 0;
  for (std::uint32_t seed = 1; seed <= kProblems; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const RecomputeProblem problem = random_problem(random);
    Evaluation whole(problem);
    ChangedEvaluation changed(problem);
    std::vector<StorageIndex> noted;
    changed.note_changed_storages(noted);
    KeptStorages kept(problem.storages.size(), true);
    OnlySaved only(problem.storages.size(), kNoItem);
    changed.set(kept);
    for (int change = 0; change < 40 && changed.outcome().feasible; ++change) {
      std::vector<KeptChange> changes;
      KeptStorages then = kept;
      OnlySaved only_then = only;
      for (StorageIndex s = 1; s < kept.size(); ++s) {
        if (random() % 4 != 0) continue;
        then[s] = random() % 4 != 0;
        only_then[s] = kNoItem;
        for (ItemIndex i = 0; i < problem.items.size() && random() % 2 == 0; ++i) {
          if (problem.items[i].savable && problem.items[i].storage == s) only_then[s] = i;
        }
        changes.push_back({s, then[s], only_then[s]});
      }
      const Outcome outcome = whole.run(then, only_then);
      EXPECT_EQ(changed.exchange_if_feasible(changes), outcome.feasible);
      (outcome.feasible ? feasible : infeasible) += 1;
      if (outcome.feasible) {
        expect_same(changed.outcome(), outcome);
        for (StorageIndex s = 1; s < kept.size(); ++s) EXPECT_EQ(changed.num_saved_in(s) != 0, whole.used()[s]);
      }
      if (!outcome.feasible || random() % 2 == 0) {
        changed.exchange(changes);  // takes them back
      } else {
        kept = then;
        only = only_then;
      }
      expect_same(changed.outcome(), whole.run(kept, only));
      EXPECT_EQ(changed.worth_keeping(), worth_keeping(problem, whole));
      for (const StorageIndex s : noted) EXPECT_LT(s, kept.size());
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(feasible, kProblems);
  EXPECT_GT(infeasible, kProblems);
}

TEST(ChangedEvaluation, IsThatOfAllItems) {
  std::uint32_t feasible = 0, infeasible = 0;
  for (std::uint32_t seed = 1; seed <= kProblems; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const RecomputeProblem problem = random_problem(random);
    Evaluation whole(problem);
    ChangedEvaluation changed(problem);
    for (int choice = 0; choice < 8; ++choice) {
      KeptStorages kept = random_choice(random, problem.storages.size());
      changed.set(kept);
      for (StorageIndex s = 1; s < kept.size(); ++s) {
        kept[s] = !kept[s];
        const Outcome outcome = whole.run(kept);
        const Outcome with = changed.outcome_with(s);
        EXPECT_TRUE(with.run_cost == outcome.run_cost);
        EXPECT_EQ(with.bytes, outcome.bytes);
        EXPECT_EQ(with.feasible, outcome.feasible);
        expect_same(changed.feasible_with(s), outcome);
        (outcome.feasible ? feasible : infeasible) += 1;
        kept[s] = !kept[s];
      }
      const Outcome outcome = whole.run(kept);
      expect_same(changed.outcome(), outcome);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(feasible, kProblems);
  EXPECT_GT(infeasible, kProblems);
}

}  // namespace
}  // namespace fxcut
