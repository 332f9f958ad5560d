// One budget of memory for all graphs of a model, split where it buys most.
//
// Each graph has its frontier: what recomputing costs at each amount of saved bytes. Its corners, the lower convex
// hull's, have falling prices: the cost that one more byte takes away. Every graph starts at its least memory; then,
// of all graphs, the step to the next corner whose price is highest is taken first, as long as the budget lasts. As the
// hulls are convex, no other split of as many bytes costs less among the corners. What is left when a step is too large is
// offered to the next ones, cheaper as they may be, and to the choices between corners; and in the end to the graph whose
// next step is dearest, since a solver may know of a choice that its frontier does not show.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "frontier/frontier_points.h"

namespace fxcut {

using Frontier = std::vector<FrontierPoint>;  // fewest bytes first

struct BudgetSplit {
  std::vector<std::int64_t> limits;  // by graph: its share, in bytes; 0 where its frontier is empty
  double recompute_cost = 0;         // of all graphs at these points of their frontiers, in the estimator's unit
};

// The shares of the graphs in a limit of `limit_bytes`: what their points save, and, for the graph whose next step is dearest,
// what is left. Nothing where even the least of all together is more.
std::optional<BudgetSplit> split_budget(std::span<const Frontier> frontiers, std::int64_t limit_bytes);

// What the graphs save at the least, all together.
std::int64_t least_bytes(std::span<const Frontier> frontiers);

}  // namespace fxcut
