// PyTorch's default: the table of knapsack_rows.h at one limit. Because each item's memory is rounded, by up to half a
// step, the saved items may exceed the limit or miss the optimum.
#include "solve/knapsack_rows.h"

namespace fxcut {

std::vector<bool> knapsack_dp(const Knapsack& knapsack) {
  return KnapsackTable(knapsack, knapsack.limit).saved_within(knapsack.limit);
}

}  // namespace fxcut
