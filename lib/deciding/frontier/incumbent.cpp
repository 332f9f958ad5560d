#include "frontier/incumbent.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace fxcut {

SumGrid::SumGrid(std::vector<Wide> numbers) {
  std::sort(numbers.begin(), numbers.end(), std::greater<>());
  Wide rest = std::accumulate(numbers.begin(), numbers.end(), Wide{0}), step = 0;
  for (const Wide number : numbers) {
    if (number == 0) return;
    step = std::gcd(step, number);
    rest -= number;
    if (rest >= step) continue;
    // With the same step the last level has the smallest rest.
    if (!levels_.empty() && levels_.back().step == step) levels_.pop_back();
    levels_.push_back({step, rest});
  }
}

Wide SumGrid::round_up(Wide bound) const {
  Wide most = bound;
  for (const Level& level : levels_) {
    const Wide over = bound % level.step;
    if (bound > 0 && over > level.rest) most = std::max(most, bound - over + level.step);
  }
  return most;
}

Wide SumGrid::round_down(Wide bound) const {
  Wide least = bound;
  for (const Level& level : levels_) {
    const Wide over = bound % level.step;
    if (bound > 0 && over > level.rest) least = std::min(least, bound - over + level.rest);
  }
  return least;
}

}  // namespace fxcut
