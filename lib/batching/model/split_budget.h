// One budget of memory for all graphs of a model, split where it saves the most recomputation.
//
// Each graph has its frontier: the cost of recomputation at each amount of saved bytes. Its corners, those of the lower convex
// hull, have falling prices: the cost that one more byte saves. Every graph starts at its least memory; then the step to a next
// corner with the highest price of all graphs is taken first, as long as the budget lasts. Because the hulls are convex, no
// other split of as many bytes among the corners costs less. If a step is too large, the rest goes to the next steps, which are
// cheaper, and to choices between corners; and finally to the graph whose next step has the highest price, because a solver may
// find a choice that its frontier lacks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "frontier/frontier.h"

namespace fxcut {

using Frontier = std::vector<FrontierPoint>;  // fewest bytes first

struct BudgetSplit {
  std::vector<std::int64_t> limits;  // by graph: its share, in bytes; 0 if its frontier is empty
  double recompute_cost = 0;         // of all graphs at these points of their frontiers, in the estimator's unit
};

// The shares of the graphs in a limit of `limit_bytes`: the bytes of their points, and the rest for the graph whose next step
// has the highest price. nullopt if even the sum of the minima is more.
std::optional<BudgetSplit> split_budget(std::span<const Frontier> frontiers, std::int64_t limit_bytes);

// The least bytes of all graphs together.
std::int64_t least_bytes(std::span<const Frontier> frontiers);

}  // namespace fxcut
