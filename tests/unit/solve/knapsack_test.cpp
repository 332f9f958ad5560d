// Each knapsack solver against all choices there are, and what sets it apart. tests/parity compares them with
// PyTorch's.
#include "solve/knapsack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "settings/settings.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

KnapsackFunction* knapsack_called(std::string_view name) {
  return find_row(budget_solvers(), name).value().in(budget_solvers()).knapsack;
}
KnapsackFunction* const knapsack_dp = knapsack_called("dp");
KnapsackFunction* const knapsack_greedy = knapsack_called("greedy");
KnapsackFunction* const knapsack_ilp = knapsack_called("ilp");
KnapsackFunction* const knapsack_hirschberg = knapsack_called("dp_knapsack_sliding_hirschberg");
KnapsackFunction* const knapsack_knee = knapsack_called("dynamic_memory_budget_dp");

double total(const std::vector<double>& of, const std::vector<bool>& chosen) {
  double sum = 0;
  for (std::size_t i = 0; i < of.size(); ++i) sum += chosen[i] ? of[i] : 0;
  return sum;
}

double best_of_all(const std::vector<double>& memory, const std::vector<double>& runtime, double limit) {
  double best = 0;
  for (unsigned choice = 0; choice < (1U << memory.size()); ++choice) {
    std::vector<bool> chosen(memory.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = (choice >> i) & 1U;
    if (total(memory, chosen) <= limit + 1e-9) best = std::max(best, total(runtime, chosen));
  }
  return best;
}

// Memory in whole steps of a ten-thousandth, so that rounding changes nothing.
Knapsack random_knapsack(unsigned seed) {
  std::mt19937 random(seed);
  Knapsack knapsack{{}, {}, 0.5};
  for (int i = 0; i < 9; ++i) {
    knapsack.memory.push_back(static_cast<double>(1 + random() % 40) / 100);
    knapsack.runtime.push_back(static_cast<double>(1 + random() % 100));
  }
  return knapsack;
}

TEST(Knapsack, DpAndIlpFindTheBestChoice) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const Knapsack knapsack = random_knapsack(seed);
    for (KnapsackFunction* const solve : {knapsack_dp, knapsack_ilp}) {
      const std::vector<bool> saved = solve(knapsack);
      EXPECT_LE(total(knapsack.memory, saved), 0.5 + 1e-9);
      EXPECT_EQ(total(knapsack.runtime, saved), best_of_all(knapsack.memory, knapsack.runtime, 0.5)) << "seed " << seed;
    }
  }
}

TEST(Knapsack, DpWithoutRoomSavesItemsOfZeroSize) {
  EXPECT_EQ(knapsack_dp({{0.3, 0.00004, 0.0}, {5, 6, 7}, 0}), std::vector<bool>({false, true, true}));
  EXPECT_EQ(knapsack_dp({{}, {}, 0}), std::vector<bool>());
}

TEST(Knapsack, DpLosesAShortRunTimeBesideALongOneInFloat32) {
  const Knapsack knapsack{{0, 0}, {1 << 25, 1}, 0};
  EXPECT_EQ(knapsack_dp(knapsack), std::vector<bool>({true, false}));
  EXPECT_EQ(knapsack_ilp(knapsack), std::vector<bool>({true, true}));
}

TEST(Knapsack, DpRoundsHalfAStepToEven) {
  EXPECT_EQ(knapsack_dp({{0.00025}, {1}, 0.0002}), std::vector<bool>({true})) << "2.5 steps are 2";
  EXPECT_EQ(knapsack_dp({{0.00075}, {1}, 0.0007}), std::vector<bool>({false})) << "7.5 steps are 8";
}

TEST(Knapsack, GreedyTakesWhatFitsByRunTimeForItsMemory) {
  EXPECT_EQ(knapsack_greedy({{0.5, 0.3, 0.3}, {10, 9, 9}, 0.5}), std::vector<bool>({false, true, false}));
  const Knapsack equals{{0.2, 0.2, 0.2}, {1, 1, 1}, 0.45};
  EXPECT_EQ(knapsack_greedy(equals), std::vector<bool>({true, true, false})) << "in their order";
}

TEST(Knapsack, GreedyFailsOnWhatTakesNoMemory) {
  try {
    knapsack_greedy({{0.5, 0, 0.3, 0}, {1, 1, 1, 1}, 0.5});
    FAIL() << "divides by zero";
  } catch (const KnapsackFailure& failure) {
    EXPECT_EQ(failure.items, std::vector<std::size_t>({1, 3}));
  }
}

TEST(Knapsack, HirschbergMayExceedTheLimitByAStep) {
  const Knapsack knapsack{{0.5, 0.5001}, {2, 3}, 1};
  EXPECT_EQ(knapsack_dp(knapsack), std::vector<bool>({false, true}));
  EXPECT_EQ(knapsack_hirschberg(knapsack), std::vector<bool>({true, true}));
}

TEST(Knapsack, TheKneeIsWhereMoreMemoryBeginsToGainLittle) {
  // Nine tenths of the run time are in the first item; the other nine take nine times its memory for the last tenth.
  const Knapsack knapsack{std::vector<double>(10, 0.1), {81, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 1};
  std::vector<bool> first(10, false);
  first[0] = true;
  EXPECT_EQ(knapsack_knee(knapsack), first);
  EXPECT_EQ(knapsack_knee({{0.5}, {1}, 0.3}), std::vector<bool>({false})) << "no limit saves anything";
}

TEST(Knapsack, TheKneeFailsWhereNothingTakesMemoryOrTime) {
  EXPECT_THROW(knapsack_knee({{0, 0}, {1, 1}, 0.5}), KnapsackFailure);
  EXPECT_THROW(knapsack_knee({{0.1, 0.1}, {0, 0}, 0.5}), KnapsackFailure);
}

TEST(Knapsack, SolvesManyItemsWithoutTryingAllChoices) {
  // Twenty kinds of layers, and run times proportional to memory: the optimum fills the limit.
  Knapsack knapsack{{}, {}, 0.37};
  for (int i = 0; i < 4000; ++i) {
    knapsack.memory.push_back(static_cast<double>(1 + i * 7 % 20) / 40000);
    knapsack.runtime.push_back(knapsack.memory.back() * 4e9);
  }
  for (const BudgetSolver& solver : budget_solvers()) {
    if (solver.is_frontier()) continue;
    const std::vector<bool> saved = solver.knapsack(knapsack);
    EXPECT_LE(total(knapsack.memory, saved), 0.37 + 0.3) << solver.name;
    EXPECT_GE(total(knapsack.memory, saved), 0.001) << solver.name;
  }
  EXPECT_NEAR(total(knapsack.memory, knapsack_ilp(knapsack)), 0.37, 1e-9);
}

TEST(Knapsack, EndsNearTheBestForThousandsOfEqualDensity) {
  std::mt19937 random(1);
  Knapsack knapsack{{}, {}, 0.37};
  for (int i = 0; i < 2000; ++i) {
    knapsack.memory.push_back(static_cast<double>(random()) / 1e13);
    knapsack.runtime.push_back(knapsack.memory.back() * 1e12);
  }
  const double saved = total(knapsack.memory, knapsack_ilp(knapsack));
  EXPECT_LE(saved, 0.37 + 1e-9);
  EXPECT_GE(saved, std::min(0.37, total(knapsack.memory, std::vector<bool>(2000, true))) * (1 - 1e-4));
}

TEST(Knapsack, SolversAreRowsWithNames) {
  EXPECT_EQ(budget_solver_of({}).name, "dp");
  EXPECT_EQ(frontier_solver().in(budget_solvers()).name, "frontier");
  EXPECT_FALSE(find_row(budget_solvers(), "gready"));
}

TEST(KnapsackKnee, LimitsOfOlderReleasesAreRoundedAsByNumpy) {
  // The last limit is the budget itself, and the step is rounded before it is multiplied.
  Knapsack knapsack{{0.25, 0.25, 0.5}, {1, 2, 3}, 0.7};
  const std::vector<bool> chosen = knapsack_knee(knapsack);
  knapsack.by_linspace = true;
  EXPECT_EQ(knapsack_knee(knapsack), chosen) << "the last bits seldom matter";
}

}  // namespace
}  // namespace fxcut
