// The choices along an edge of the hull: all of them best at its price.
#pragma once

#include <functional>
#include <vector>

#include "frontier/incumbent.h"
#include "frontier/relaxation.h"
#include "solve/minimum_cuts.h"

namespace fxcut {

// All minimum cuts at one price, as steps from the smallest sink side to the largest. Models repeat their layers, and
// at the price at which one layer changes sides all do: the steps are the layers, one after the other, or parts of
// them.
class HullEdge {
 public:
  HullEdge(const Relaxation& relaxation, const Price& price);

  // Calls `visit` with the storages kept before the first step and after later ones that change how many bytes that
  // takes; of very many steps after some.
  void for_each(const std::function<void(const KeptStorages&)>& visit) const;
  // What keeps as many bytes as the limit allows: the best number of steps, and then what else can be taken or taken
  // back.
  void offer_nearest(Incumbent& incumbent) const;

  // The same by dynamic programming over the steps that can be taken or not whatever becomes of the others.
  void offer_best_sum(Incumbent& incumbent) const;

  std::size_t steps() const { return cuts_.components.size(); }

 private:
  std::vector<bool> side_of(const std::vector<bool>& taken) const;
  std::vector<bool> nearest_prefix(std::int64_t limit_bytes) const;
  std::int64_t bytes_after(const std::vector<bool>& taken) const;
  // By step, whether its bytes hang on no other step's, neither those that it needs nor those that need it.
  std::vector<bool> independent() const;
  // Takes steps, or takes them back, as far as that keeps more bytes and there is room; the largest first.
  void fill(std::vector<bool>& taken, std::int64_t room_bytes) const;

  const Relaxation& relaxation_;
  MinimumCuts cuts_;
  std::int64_t first_bytes_ = 0;            // kept before the first step
  std::vector<std::int64_t> step_bytes_;    // by step: how many more are kept after it
};

}  // namespace fxcut
