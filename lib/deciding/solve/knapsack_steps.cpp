#include "solve/knapsack_steps.h"

#include <algorithm>
#include <cmath>

namespace fxcut {

std::size_t steps_of(double share) {
  constexpr double kSteps = 10000, kBeyondAnyCapacity = 1e15;
  return static_cast<std::size_t>(std::min(std::nearbyint(share * kSteps), kBeyondAnyCapacity));
}

std::vector<SteppedItem> stepped_items(const Knapsack& knapsack) {
  std::vector<SteppedItem> items;
  for (std::size_t i = 0; i < knapsack.memory.size(); ++i) {
    items.push_back({steps_of(knapsack.memory[i]), static_cast<float>(knapsack.runtime[i])});
  }
  return items;
}

void weigh(const SteppedItem& item, const float* row, std::size_t size, float* with_item) {
  for (std::size_t m = item.steps; m < size; ++m) with_item[m - item.steps] = row[m - item.steps] + item.runtime;
}

void take_better(const SteppedItem& item, const float* with_item, std::size_t size, float* row) {
  for (std::size_t m = item.steps; m < size; ++m) row[m] = std::max(row[m], with_item[m - item.steps]);
}

}  // namespace fxcut
