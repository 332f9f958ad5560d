// The possible sums of given numbers: products have few sizes, and everything else is small, so that most numbers are not
// a sum of them. A bound on a sum can be moved to the next possible one.
#pragma once

#include <vector>

#include "graph/wide.h"

namespace fxcut {

class SumGrid {
 public:
  // Of sums in which each of these numbers (none negative) occurs at most once.
  explicit SumGrid(std::vector<Wide> numbers);

  // No sum is in [bound, result), and none in (result, bound].
  Wide round_up(Wide bound) const;
  Wide round_down(Wide bound) const;

 private:
  // The largest numbers are multiples of `step`, and the others add up to `rest`, which is less.
  struct Level {
    Wide step;
    Wide rest;
  };
  std::vector<Level> levels_;
};

}  // namespace fxcut
