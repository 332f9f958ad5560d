// Dynamic programming over memory in steps: ten-thousandths of the whole, each item's memory rounded to the nearest (a
// half to even, like Python). A row has, for each number of steps from 0 to a capacity, the most run time that can be
// saved within it; adding an item gives the next row:
//
//     row'[m] = max(row[m], row[m - steps of the item] + run time of the item)
//
// Sums are float32, like PyTorch's: a run time is lost in a sum over 2^24 times as long.
#pragma once

#include <cstddef>
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

// Sets each entry to the better of both.
void take_better(const SteppedItem& item, const float* with_item, std::size_t size, float* row);

}  // namespace fxcut
