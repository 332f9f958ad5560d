#include "solve/knapsack_rows.h"

#include <algorithm>
#include <cmath>

namespace fxcut {
namespace {

constexpr std::size_t kBits = 64;

// Sets bit m of `words` if the item improves the row at m.
void note_improvements(const SteppedItem& item, const std::vector<float>& row, const std::vector<float>& with_item,
                       std::uint64_t* words) {
  for (std::size_t m = item.steps; m < row.size();) {
    const std::size_t end = std::min(row.size(), (m / kBits + 1) * kBits);
    std::uint64_t& word = words[m / kBits];
    for (; m < end; ++m) word |= static_cast<std::uint64_t>(with_item[m - item.steps] > row[m]) << (m % kBits);
  }
}

}  // namespace

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

KnapsackTable::KnapsackTable(const Knapsack& knapsack, double limit) : items_(stepped_items(knapsack)) {
  std::vector<float> row(steps_of(limit) + 1, 0.0F), with_item(row.size());
  words_per_row_ = (row.size() + kBits - 1) / kBits;
  improves_.resize(items_.size() * words_per_row_, 0);
  for (std::size_t i = 0; i < items_.size(); ++i) {
    weigh(items_[i], row.data(), row.size(), with_item.data());
    note_improvements(items_[i], row, with_item, &improves_[i * words_per_row_]);
    take_better(items_[i], with_item.data(), row.size(), row.data());
  }
}

std::vector<bool> KnapsackTable::saved_within(double limit) const {
  std::vector<bool> saved(items_.size(), false);
  std::size_t left = steps_of(limit);
  for (std::size_t i = items_.size(); i-- > 0;) {
    saved[i] = (improves_[i * words_per_row_ + left / kBits] >> (left % kBits)) & 1U;
    if (saved[i]) left -= items_[i].steps;
  }
  return saved;
}

}  // namespace fxcut
