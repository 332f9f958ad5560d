// One budget of memory for all graphs of a model, split where it saves the most recomputation.
//
// Each graph has its frontier: the cost of recomputation at each amount of saved bytes. Graph by graph, the frontier of all
// graphs so far is the sums of a point of the frontier before and one of the graph's, less those that another beats in bytes and
// in cost (Nemhauser and Ullmann, "Discrete dynamic programming and capital allocation", Management Science 1969). Of many sums
// only the cheapest in each small range of bytes is kept.
//
// What that loses adds up over many graphs. So the budget is also spent step by step: every graph starts at its least memory, and
// the step to a next corner of a frontier's convex hull that saves the most for a byte is taken first; if one is too large, the
// rest goes to cheaper ones and to choices between corners. The better of both splits counts, and with very many graphs the
// second. What it leaves goes to the graph whose next step saves most for a byte, because a solver may find a choice that its
// frontier lacks.
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

// The least bytes of all graphs together; if they are more than a limit can be, the largest limit.
std::int64_t least_bytes(std::span<const Frontier> frontiers);

}  // namespace fxcut
