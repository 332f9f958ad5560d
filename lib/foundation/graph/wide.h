// Integers wide enough for sums and products of byte counts: PyTorch counts in Python's unbounded integers.
#pragma once

#include <limits>

namespace fxcut {

__extension__ typedef __int128 Wide;

// The sum of two non-negative numbers, at most the largest Wide.
inline Wide sum_at_most(Wide a, Wide b) {
  constexpr Wide kMax = std::numeric_limits<Wide>::max();
  return a > kMax - b ? kMax : a + b;
}

}  // namespace fxcut
