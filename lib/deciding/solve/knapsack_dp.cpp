// PyTorch's default: the table of knapsack_table.h, asked for its one limit. What it saves may exceed the limit, or
// fall short of the best, by the half step that each item's memory is rounded by.
#include "solve/knapsack_table.h"

namespace fxcut {

std::vector<bool> knapsack_dp(const Knapsack& knapsack) {
  return KnapsackTable(knapsack, knapsack.limit).saved_within(knapsack.limit);
}

}  // namespace fxcut
