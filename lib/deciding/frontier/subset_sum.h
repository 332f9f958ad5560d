// Choosing numbers whose sum is just enough.
#pragma once

#include <cstdint>
#include <vector>

namespace fxcut {

// Which of `sizes` (all positive) to take so that they add up to at least `at_least`, and to as little more as can be;
// all where that is not enough. Dynamic programming over the sums in steps of the sizes' common divisor; where there
// are too many of these the steps are larger, and the choice may be a little worse than the best.
std::vector<bool> smallest_cover(const std::vector<std::int64_t>& sizes, std::int64_t at_least);

}  // namespace fxcut
