// Points of the trade-off between memory and recomputation.
#pragma once

#include <cstdint>

#include "graph/wide.h"

namespace fxcut {

// The cost of one choice of saved values.
struct FrontierPoint {
  std::int64_t saved_bytes = 0;  // totals.saved_bytes_not_static of the report
  Wide recompute_flops = 0;      // totals.recomputed_flops
  double recompute_cost = 0;     // by the runtime estimator, in its unit
  bool corner = false;           // of the lower convex hull: the best choice at its price
  double price_per_byte = 0;     // in units of cost: the price at which the point is the best
};

}  // namespace fxcut
