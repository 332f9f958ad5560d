// Integers wide enough for sums and products of byte counts: PyTorch counts in Python's unbounded integers.
#pragma once

#include <limits>

namespace fxcut {

__extension__ typedef __int128 Int128;

// The sum of two non-negative numbers, at most the largest Int128.
inline Int128 sum_at_most(Int128 a, Int128 b) {
  constexpr Int128 kMax = std::numeric_limits<Int128>::max();
  return a > kMax - b ? kMax : a + b;
}

}  // namespace fxcut
