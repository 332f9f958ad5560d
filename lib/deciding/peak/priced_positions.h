// The bytes at each position of the backward at a price.
//
// A limit of the peak is a limit at each position. Give each position a price a byte, and let a choice pay for what it
// keeps, at each position before the kept storage's first use, and be paid for the limit less what is in use for
// certain. What it then costs at the least, with what it recomputes, is a lower bound of what any choice within the
// limit recomputes (Lagrangian relaxation), for every price; and at given prices the least is a minimum cut
// (frontier/relaxation.h), each storage having a price of its own. Prices are raised where the cut's choice keeps too
// much and lowered where it keeps too little, in steps by how far the bound is below the best choice (Polyak, "Minimization
// of unsmooth functionals", 1969). What must be recomputed at a position is not seen by the bound.
#pragma once

#include <vector>

#include "peak/peak_trials.h"
#include "peak/unavoidable.h"

namespace fxcut {

struct PricedPositions {
  bool is_possible = true;     // false: no choice has so low a peak
  Wide bound = 0;              // no choice within the limit costs less
  KeptStorages kept;           // what is best at the prices of the best bound; its peak may be above the limit
  std::vector<double> prices;  // by storage: what keeping it costs at the prices of the best bound, in run cost
};

// `most_rounds`: how often prices are changed. `taken`: by position, what else is in use there; where it is more than
// nothing the bound is none, but the choices may be better. Offers each round's choice.
PricedPositions price_positions(PeakTrials& trials, const Unavoidable& unavoidable, const FixedState& state,
                                const std::vector<Wide>& taken, int most_rounds);

}  // namespace fxcut
