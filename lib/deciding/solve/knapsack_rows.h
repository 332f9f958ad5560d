// Dynamic programming over memory in steps: ten-thousandths of the whole, each item's memory rounded to the nearest (a
// half to even, like Python). A row has, for each number of steps from 0 to a capacity, the most run time that can be
// saved within it; adding an item gives the next row:
//
//     row'[m] = max(row[m], row[m - steps of the item] + run time of the item)
//
// Sums are float32, like PyTorch's: a run time is lost in a sum over 2^24 times as long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solve/knapsack.h"

namespace fxcut {

// A share of memory in steps, at most a number above any capacity.
std::size_t steps_of(double share);

struct SteppedItem {
  std::size_t steps;
  float runtime;
};
std::vector<SteppedItem> stepped_items(const Knapsack& knapsack);

// The row's entries from `item.steps` on with the item: `with_item[m - item.steps]` is row'[m] with the item. Both have
// `size` entries; an item of more steps changes nothing.
void weigh(const SteppedItem& item, const float* row, std::size_t size, float* with_item);

// Sets each entry to the better of the two.
void take_better(const SteppedItem& item, const float* with_item, std::size_t size, float* row);

// PyTorch's dp_knapsack, for any number of limits at once: the rows for the first 0, 1, 2, ... items. A row stores one bit per
// number of steps: whether its item improved on the row before. Backwards from the last item and the limit, an item is saved if
// its bit is set, and the limit falls by its steps. An item without an improvement is not saved: among equally good choices this
// finds the one that saves the first items. Rows do not depend on the limit, so one table serves all limits up to its own.
class KnapsackTable {
 public:
  // `limit` is the greatest limit for saved_within.
  KnapsackTable(const Knapsack& knapsack, double limit);

  // For each item, whether it is saved.
  std::vector<bool> saved_within(double limit) const;

 private:
  std::vector<SteppedItem> items_;
  std::size_t words_per_row_;
  std::vector<std::uint64_t> improves_;  // by item, then by steps: bit m % 64 of word m / 64
};

}  // namespace fxcut
