// The items that take long for their memory first, equals in their order; each is saved that still fits.
#include <algorithm>
#include <numeric>

#include "solve/knapsack.h"

namespace fxcut {

std::vector<bool> knapsack_greedy(const Knapsack& knapsack) {
  const std::size_t items = knapsack.memory.size();
  std::vector<std::size_t> order(items), without_memory;
  std::iota(order.begin(), order.end(), 0);
  std::copy_if(order.begin(), order.end(), std::back_inserter(without_memory), [&](std::size_t i) { return knapsack.memory[i] == 0; });
  if (!without_memory.empty()) throw KnapsackFailure("it divides run times by bytes, and there are none", without_memory);
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
