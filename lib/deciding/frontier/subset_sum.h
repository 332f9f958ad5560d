// The subset of numbers with the smallest sufficient sum.
#pragma once

#include <cstdint>
#include <vector>

namespace fxcut {

// A subset of `sizes` (all positive) with the smallest sum that is at least `at_least`; all if no sum is. Dynamic programming
// over the sums in steps of the sizes' common divisor; if these are too many, steps are larger, and the sum may be slightly
// above the optimum.
std::vector<bool> smallest_cover(const std::vector<std::int64_t>& sizes, std::int64_t at_least);

}  // namespace fxcut
