#include "frontier/incumbent.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace fxcut {

SumGrid::SumGrid(std::vector<Int128> numbers) {
  std::sort(numbers.begin(), numbers.end(), std::greater<>());
  Int128 rest = std::accumulate(numbers.begin(), numbers.end(), Int128{0}), step = 0;
  for (const Int128 number : numbers) {
    if (number == 0) return;
    step = std::gcd(step, number);
    rest -= number;
    if (rest >= step) continue;
    // With the same step the last level has the smallest rest.
    if (!levels_.empty() && levels_.back().step == step) levels_.pop_back();
    levels_.push_back({step, rest});
  }
}

Int128 SumGrid::round_up(Int128 bound) const {
  Int128 most = bound;
  for (const Level& level : levels_) {
    const Int128 over = bound % level.step;
    if (bound > 0 && over > level.rest) most = std::max(most, bound - over + level.step);
  }
  return most;
}

Int128 SumGrid::round_down(Int128 bound) const {
  Int128 least = bound;
  for (const Level& level : levels_) {
    const Int128 over = bound % level.step;
    if (bound > 0 && over > level.rest) least = std::min(least, bound - over + level.rest);
  }
  return least;
}

}  // namespace fxcut
