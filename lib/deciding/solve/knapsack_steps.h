// Dynamic programming over memory in steps. Memory is counted in ten-thousandths of the whole, each item's rounded to
// the nearest (a half to even, as Python rounds). A row holds, for each number of steps from 0 to a capacity, the most
// run time that can be saved within it; offering an item to a row gives the row of one item more:
//
//     row'[m] = max(row[m], row[m - steps of the item] + run time of the item)
//
// Sums are float32, as PyTorch's are: a short run time is lost beside a sum over 2^24 times as long.
#pragma once

#include <cstddef>
#include <vector>

#include "solve/knapsack.h"

namespace fxcut {

// A share of memory in steps, at most some number that is beyond any capacity.
std::size_t steps_of(double share);

struct SteppedItem {
  std::size_t steps;
  float runtime;
};
std::vector<SteppedItem> stepped_items(const Knapsack& knapsack);

// The row's entries from `item.steps` on with the item: `with_item[m - item.steps]` is what row'[m] is where the item
// is taken. Both have `size` entries; an item of more steps than that leaves them alone.
void weigh(const SteppedItem& item, const float* row, std::size_t size, float* with_item);

// Takes the better of both at each entry.
void take_better(const SteppedItem& item, const float* with_item, std::size_t size, float* row);

}  // namespace fxcut
