// What sums of given numbers can be: products have a few sizes, and all else is small beside them, so that most numbers
// are no sum of theirs. A bound on a sum can be moved to the next number that may be one.
#pragma once

#include <vector>

#include "graph/wide.h"

namespace fxcut {

class SumGrid {
 public:
  // Of sums in which each of these numbers (none negative) occurs at most once.
  explicit SumGrid(std::vector<Wide> numbers);

  // No sum lies from `bound` up to the result, which it may be; and none from the result, which it may be, up to
  // `bound`.
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
