// The changes of a plan that are tried.
#include "host/change_states.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace fxcut {
namespace {

using enum StorageState;

// Four values, each in a storage of its own; the second is made of the first, the fourth of the third.
RecomputeProblem two_chains() {
  RecomputeProblem problem;
  for (StorageIndex s = 1; s <= 4; ++s) problem.items.push_back({.node = NodeId{s}, .storage = s, .savable = true});
  problem.storages.resize(5);
  problem.inputs_begin = {0, 0, 1, 1, 2};
  problem.inputs = {0, 2};
  return problem;
}

// Whether the search gets from the one to the other if nothing else is better.
bool finds(const StorageStates& better, StorageStates best) {
  const RecomputeProblem problem = two_chains();
  change_while_better(problem, {[&] { return best; },
                                [&](const StorageStates& states) {
                                  if (states != better || best == better) return false;
                                  best = states;
                                  return true;
                                },
                                [] { return false; }});
  return best == better;
}

TEST(ChangeStates, OneStorageIsChanged) {
  EXPECT_TRUE(finds({Kept, Copied, Kept, Kept, Kept}, {Kept, Kept, Kept, Kept, Kept}));
}

TEST(ChangeStates, OneIsRecomputedOfWhatIsThenAvailable) {
  EXPECT_TRUE(finds({Kept, Copied, Recomputed, Kept, Kept}, {Kept, Recomputed, Copied, Kept, Kept}));
}

TEST(ChangeStates, TwoAreRecomputedOfWhatIsThenAvailable) {
  const StorageStates late_copies = {Kept, Recomputed, Copied, Recomputed, Copied};
  EXPECT_TRUE(finds({Kept, Copied, Recomputed, Copied, Recomputed}, late_copies)) << "one alone would not help the other";
}

TEST(ChangeStates, TwoThatUndoEachOtherAreNotTried) {
  const StorageStates best = {Kept, Recomputed, Recomputed, Kept, Kept};
  std::size_t asked = 0;
  change_while_better(two_chains(), {.best = [&] { return best; },
                                     .offer = [](const StorageStates&) { return false; },
                                     .is_done = [] { return false; },
                                     .may_be_better =
                                         [&](std::span<const StateChange> changes) {
                                           ++asked;
                                           EXPECT_FALSE(changes.empty());
                                           return true;
                                         }});
  EXPECT_GT(asked, 10u);
}

// A storage of `values` values, and as many storages, each made from one of them.
std::size_t offers_with_inputs(ItemIndex values) {
  RecomputeProblem problem;
  for (ItemIndex i = 0; i < values; ++i) problem.items.push_back({.node = NodeId{i}, .storage = 1, .savable = true});
  for (ItemIndex i = 0; i < values; ++i) problem.items.push_back({.node = NodeId{values + i}, .storage = 2 + i, .savable = true});
  problem.storages.resize(values + 2);
  problem.inputs_begin.assign(values + 1, 0);
  for (ItemIndex i = 0; i < values; ++i) {
    problem.inputs.push_back(i);
    problem.inputs_begin.push_back(i + 1);
  }
  StorageStates best(values + 2, Kept);
  best[1] = Recomputed;
  std::size_t offers = 0;
  change_while_better(problem, {.best = [&] { return best; },
                                .offer =
                                    [&](const StorageStates& states) {
                                      if (states[1] == Kept && std::ranges::count(states, Recomputed) > 0) ++offers;
                                      return false;
                                    },
                                .is_done = [] { return false; },
                                .may_copy = false,
                                .most_in_pairs = 0});
  return offers;
}

TEST(ChangeStates, ATuplesStateIsNotTriedWithEachOfItsUsers) {
  EXPECT_EQ(offers_with_inputs(10), 10u);
  EXPECT_LT(offers_with_inputs(1000), 20u) << "each looks at 1,000 values";
}

// Every value that is recomputed is better; offers count, of 64 storages.
TEST(ChangeStates, MoreAndMoreAreOfferedAtOnce) {
  RecomputeProblem problem;
  for (StorageIndex s = 1; s <= 64; ++s) problem.items.push_back({.node = NodeId{s}, .storage = s, .savable = true});
  problem.storages.resize(65);
  problem.inputs_begin.assign(65, 0);
  StorageStates best(65, Kept);
  const auto kept_in = [](const StorageStates& states) { return std::ranges::count(states, Kept); };
  const auto offers_with = [&](StorageIndex never) {
    std::size_t offers = 0, assumed = 0;
    best.assign(65, Kept);
    change_while_better(problem, {.best = [&] { return best; },
                                  .offer =
                                      [&](const StorageStates& states) {
                                        ++offers;
                                        assumed = 0;
                                        if (states[never] == Recomputed || kept_in(states) >= kept_in(best)) return false;
                                        best = states;
                                        return true;
                                      },
                                  .is_done = [] { return false; },
                                  .may_be_better = [&](std::span<const StateChange> changes) {
                                    return changes.size() == 1 && changes.front().state == Recomputed;
                                  },
                                  .assume = [&](std::span<const StateChange>) { ++assumed; },
                                  .forget_assumed = [&] { assumed = 0; },
                                  .may_copy = false});
    return offers;
  };
  EXPECT_LT(offers_with(0), 10u);
  EXPECT_EQ(kept_in(best), 1);
  EXPECT_LT(offers_with(40), 30u) << "those that are wrong together are tried one by one";
  EXPECT_EQ(kept_in(best), 2);
}

TEST(ChangeStates, ThreeAtOnceAreNotTried) {
  EXPECT_FALSE(finds({Kept, Copied, Copied, Copied, Kept}, {Kept, Kept, Kept, Kept, Kept}));
}

}  // namespace
}  // namespace fxcut
