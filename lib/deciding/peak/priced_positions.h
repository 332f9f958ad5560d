// The bytes at each position of the backward at a price.
//
// A limit of the peak is a limit at each position. Let each position have a price per byte: a choice pays for the storages it
// keeps, at each position before their first use, and gets back the price of the limit less the bytes that are in use for
// certain. At any prices, the least sum of these payments and the run cost is a lower bound of the recomputation of all choices
// within the limit (Lagrangian relaxation); at given prices it is a minimum cut (frontier/relaxation.h) with a price for each
// storage. Prices rise at positions where the cut's choice keeps too much and fall where it keeps too little, by steps in
// proportion to the gap between the bound and the best choice (Polyak, "Minimization of unsmooth functionals", 1969). The bound
// does not count the memory of recomputed values.
#pragma once

#include <vector>

#include "peak/peak_trials.h"
#include "peak/unavoidable.h"

namespace fxcut {

struct PricedPositions {
  Int128 bound = 0;            // no choice within the limit costs less
  KeptStorages kept;           // the best choice at the prices of the best bound; its peak may be above the limit
  std::vector<double> prices;  // by storage: the run cost of keeping it at the prices of the best bound
};

// The backward from unavoidable.from on. Storages of `besides` are kept in all choices, uncounted.
struct PricedProblem {
  const RecomputeProblem& problem;
  const Unavoidable& unavoidable;
  const FixedState& state;
  KeptStorages besides;
};

// `most_rounds`: how often the prices may change. `taken`: by position, other bytes in use there; if any are, the bound does
// not hold, but the choices may be better. Offers each round's choice.
PricedPositions price_positions(PeakTrials& trials, const PricedProblem& priced, const std::vector<Int128>& taken,
                                int most_rounds);

// The prices of storages with a small share by their bytes, so that none is free.
std::vector<double> with_share_of_bytes(std::vector<double> prices, const Unavoidable& unavoidable);

}  // namespace fxcut
