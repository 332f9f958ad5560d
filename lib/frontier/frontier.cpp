#include "frontier/frontier.h"

#include <algorithm>

#include "frontier/hull.h"

namespace fxcut {
namespace {

FrontierPoint point_of(const Choice& choice) {
  return {.saved_bytes = choice.bytes,
          .recompute_flops = choice.run_cost,
          .recompute_cost = static_cast<double>(choice.run_cost)};
}

}  // namespace

std::vector<FrontierPoint> frontier(const Analysis& analysis, const StorageBytes& storages) {
  const Hull hull = trace_hull(recompute_problem(analysis, storages, flops_by_node(analysis)));
  std::vector<FrontierPoint> points;
  for (const HullCorner& corner : hull.corners) {
    points.push_back(point_of(corner.choice));
    points.back().corner = true;
    points.back().price_per_byte = corner.price.per_byte();
  }
  for (const Choice& choice : hull.between) points.push_back(point_of(choice));
  std::stable_sort(points.begin(), points.end(),
                   [](const FrontierPoint& a, const FrontierPoint& b) { return a.saved_bytes < b.saved_bytes; });
  return points;
}

}  // namespace fxcut
