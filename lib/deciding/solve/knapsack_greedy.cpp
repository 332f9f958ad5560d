// Items in descending order of run time for their memory, equals in their order; each item that still fits is saved.
#include <algorithm>

#include "solve/knapsack.h"

namespace fxcut {

std::vector<bool> knapsack_greedy(const Knapsack& knapsack) {
  const std::size_t items = knapsack.memory.size();
  std::vector<std::size_t> order, without_memory;
  for (std::size_t i = 0; i < items; ++i) (knapsack.memory[i] > 0 ? order : without_memory).push_back(i);
  if (!without_memory.empty()) {
    throw KnapsackFailure("it divides run times by bytes, and there are none", without_memory);
  }
  const auto ratio = [&](std::size_t i) { return knapsack.runtime[i] / knapsack.memory[i]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ratio(a) > ratio(b); });
  std::vector<bool> saved(items, false);
  double total = 0;
  for (const std::size_t i : order) {
    if (total + knapsack.memory[i] > knapsack.limit) continue;
    total += knapsack.memory[i];
    saved[i] = true;
  }
  return saved;
}

}  // namespace fxcut
