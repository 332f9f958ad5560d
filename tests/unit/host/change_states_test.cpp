// Which changes of a plan are tried.
#include "host/change_states.h"

#include <gtest/gtest.h>

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

// Whether the search gets from the one to the other, where all else is no better.
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

TEST(ChangeStates, ThreeAtOnceAreNotTried) {
  EXPECT_FALSE(finds({Kept, Copied, Copied, Copied, Kept}, {Kept, Kept, Kept, Kept, Kept}));
}

}  // namespace
}  // namespace fxcut
