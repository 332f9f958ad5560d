// The knapsack against all choices there are.
#include "solve/knapsack.h"

#include <gtest/gtest.h>

#include <random>

namespace fxcut {
namespace {

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

TEST(Knapsack, FindsTheBestChoice) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    std::mt19937 random(seed);
    std::vector<double> memory, runtime;
    for (int i = 0; i < 9; ++i) {
      memory.push_back(static_cast<double>(1 + random() % 40) / 100);  // whole steps of a ten-thousandth
      runtime.push_back(static_cast<double>(1 + random() % 100));
    }
    const std::vector<bool> saved = dp_knapsack(memory, runtime, 0.5);
    EXPECT_LE(total(memory, saved), 0.5 + 1e-9);
    EXPECT_EQ(total(runtime, saved), best_of_all(memory, runtime, 0.5)) << "seed " << seed;
  }
}

TEST(Knapsack, WithNoRoomOnlyWhatTakesNoneIsSaved) {
  EXPECT_EQ(dp_knapsack({0.3, 0.00004, 0.0}, {5, 6, 7}, 0), std::vector<bool>({false, true, true}));
  EXPECT_EQ(dp_knapsack({}, {}, 0), std::vector<bool>());
}

TEST(Knapsack, AShortRunTimeIsLostBesideALongOneInFloat32) {
  EXPECT_EQ(dp_knapsack({0, 0}, {1 << 25, 1}, 0), std::vector<bool>({true, false}));
}

}  // namespace
}  // namespace fxcut
