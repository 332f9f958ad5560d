// The trade-off between memory and recomputing, as points.
#pragma once

#include <cstdint>

#include "graph/wide.h"

namespace fxcut {

// What one choice of saved values costs.
struct FrontierPoint {
  std::int64_t saved_bytes = 0;  // totals.saved_bytes_not_static of the report
  Wide recompute_flops = 0;      // totals.recomputed_flops
  double recompute_cost = 0;     // by the runtime estimator, in its unit
  bool corner = false;           // of the lower convex hull: no choice is better at its price
  double price_per_byte = 0;     // in units of cost: at this price the point is the best of all
};

}  // namespace fxcut
