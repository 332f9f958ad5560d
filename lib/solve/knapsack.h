// The 0/1 knapsack of PyTorch's memory budgets: which values to save within a limit, so that the rest takes the least time to
// recompute.
#pragma once

#include <vector>

namespace fxcut {

// By item, whether it is saved (PyTorch's dp_knapsack). `memory` and `limit` are shares of one whole, `runtime` is what
// recomputing the item takes. Dynamic programming over memory in steps of a ten-thousandth, rounded to even; sums are
// float32, as there, so that a short run time can be lost beside long ones.
std::vector<bool> dp_knapsack(const std::vector<double>& memory, const std::vector<double>& runtime, double limit);

}  // namespace fxcut
