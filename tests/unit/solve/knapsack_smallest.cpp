// A solver that fxcut does not have: it saves the smallest items that still fit, whatever their run times. This file and a row in
// budget_solvers.cpp add it: imaginary_solver.cpp.
#include <algorithm>
#include <numeric>

#include "solve/knapsack.h"

namespace fxcut {

std::vector<bool> knapsack_smallest(const Knapsack& knapsack) {
  std::vector<std::size_t> order(knapsack.memory.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return knapsack.memory[a] < knapsack.memory[b]; });
  std::vector<bool> saved(order.size(), false);
  double total = 0;
  for (const std::size_t item : order) {
    if (total + knapsack.memory[item] > knapsack.limit) break;
    total += knapsack.memory[item];
    saved[item] = true;
  }
  return saved;
}

}  // namespace fxcut
