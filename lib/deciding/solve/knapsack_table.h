// PyTorch's dp_knapsack, for any number of limits at once: the rows of knapsack_steps.h for the first 0, 1, 2, ...
// items. Of a row only a bit for each number of steps is stored: whether its item improved on the row before. From the
// last item and the limit backwards, an item is saved if its bit is set, and the limit falls by its steps. An item
// without an improvement is not saved: of equally good choices this finds the one that saves the first items. Rows do
// not depend on the limit, so one table serves all limits up to its own.
#pragma once

#include <cstdint>
#include <vector>

#include "solve/knapsack_steps.h"

namespace fxcut {

class KnapsackTable {
 public:
  // `limit` is the greatest limit for saved_within.
  KnapsackTable(const Knapsack& knapsack, double limit);

  // By item, whether it is saved.
  std::vector<bool> saved_within(double limit) const;

 private:
  std::vector<SteppedItem> items_;
  std::size_t words_per_row_;
  std::vector<std::uint64_t> improves_;  // by item, then by steps: bit m % 64 of word m / 64
};

}  // namespace fxcut
