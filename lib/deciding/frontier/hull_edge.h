// The choices on an edge of the hull: all are optimal at its price.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "frontier/incumbent.h"
#include "frontier/relaxation.h"
#include "solve/minimum_cuts.h"

namespace fxcut {

// A subset of `sizes` (all positive) with the smallest sum that is at least `at_least`; all if no sum is. Dynamic programming
// over the sums in steps of the sizes' common divisor; if these are too many, steps are larger, and the sum may be slightly
// above the optimum.
std::vector<bool> smallest_cover(const std::vector<std::int64_t>& sizes, std::int64_t at_least);

// All minimum cuts at one price, as steps from the smallest sink side to the largest. Models repeat their layers, which all
// change sides at the same price: the steps are the layers, one after the other, or parts of them.
class HullEdge {
 public:
  HullEdge(const Relaxation& relaxation, const Price& price);

  // Calls `visit` with the storages kept before the first step and after each step that changes their bytes; of very many
  // steps only after some.
  void for_each(const std::function<void(const KeptStorages&)>& visit) const;

  // The points at which for_each() calls, each by the steps before it and the bytes that it keeps, and the storages kept there.
  struct Point {
    std::size_t steps = 0;
    std::int64_t bytes = 0;
  };
  std::vector<Point> points() const;
  KeptStorages kept_after(std::size_t steps) const;

  // Offers the choice that keeps the most bytes within the limit: the best number of steps, and then single steps.
  void offer_nearest(Incumbent& incumbent) const;

  // The same by dynamic programming over the independent steps.
  void offer_best_sum(Incumbent& incumbent) const;

  std::size_t steps() const { return cuts_.components.size(); }

 private:
  void take(std::size_t step, std::vector<bool>& side) const;
  std::vector<bool> side_of(const std::vector<bool>& taken) const;
  std::vector<bool> nearest_prefix(std::int64_t limit_bytes) const;
  std::int64_t bytes_after(const std::vector<bool>& taken) const;
  // By step, whether it has bytes, and neither the steps that it needs nor those that need it have any.
  std::vector<bool> independent() const;
  // Takes steps or reverts them, the largest first, if that keeps more bytes and there is room.
  void fill(std::vector<bool>& taken, std::int64_t room_bytes) const;

  const Relaxation& relaxation_;
  MinimumCuts cuts_;
  std::int64_t first_bytes_ = 0;            // kept before the first step
  std::vector<std::int64_t> step_bytes_;    // by step: the bytes that it adds
};

}  // namespace fxcut
