// The choices along an edge of the hull: all of them best at its price.
#pragma once

#include <vector>

#include "frontier/incumbent.h"
#include "frontier/relaxation.h"
#include "solve/minimum_cuts.h"

namespace fxcut {

// All minimum cuts at one price, as steps from the smallest sink side to the largest. Models repeat their layers, and at the
// price at which one layer changes sides all do: the steps are the layers, one after the other, or parts of them.
class HullEdge {
 public:
  HullEdge(const Relaxation& relaxation, const Price& price);

  // The storages kept after each number of steps, none included; each is offered to the incumbent.
  void offer_all(Incumbent& incumbent) const;
  // What keeps as many bytes as the limit allows: the best number of steps, and then what else fits of the later ones.
  void offer_nearest(Incumbent& incumbent) const;

  std::size_t steps() const { return cuts_.components.size(); }

 private:
  const Relaxation& relaxation_;
  MinimumCuts cuts_;
  std::int64_t first_bytes_ = 0;            // kept before the first step
  std::vector<std::int64_t> step_bytes_;    // by step: how many more are kept after it
};

}  // namespace fxcut
