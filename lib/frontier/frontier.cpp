#include "frontier/frontier.h"

#include <algorithm>

#include "frontier/hull.h"

namespace fxcut {
namespace {

// The problem in the estimator's costs; it has the items and storages of `in_flops`. Only what may run again needs one,
// and what the totals do not count (flops_by_node) costs nothing here either.
RecomputeProblem problem_in_costs(const RecomputeProblem& in_flops, const Analysis& a, const StorageBytes& storages,
                                  const RecomputeCost& estimator) {
  std::vector<NodeId> nodes;
  for (const Item& item : in_flops.items) {
    if (item.never == Ban::None && item.run_cost > 0) nodes.push_back(item.node);
  }
  const std::vector<Wide> costs = cost_of_nodes(estimator, a.graph(), nodes, a.settings, a.joint.torch.release);
  std::vector<Wide> by_node(a.graph().size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) by_node[index_of(nodes[i])] = costs[i];
  return recompute_problem(a, storages, by_node);
}

// Shows choices as points: what they cost, and how many operations that is.
class Points {
 public:
  Points(const RecomputeProblem& in_flops, double per_shown_unit)
      : in_flops_(in_flops), per_shown_unit_(per_shown_unit) {}

  FrontierPoint of(const Choice& choice) {
    return {.saved_bytes = choice.bytes,
            .recompute_flops = in_flops_.run(choice.kept).run_cost,
            .recompute_cost = static_cast<double>(choice.run_cost) / per_shown_unit_};
  }
  FrontierPoint of(const HullCorner& corner) {
    FrontierPoint point = of(corner.choice);
    point.corner = corner.is_proven;
    point.price_per_byte = corner.price.per_byte() / per_shown_unit_;
    return point;
  }

 private:
  Evaluation in_flops_;
  double per_shown_unit_;
};

}  // namespace

std::vector<FrontierPoint> frontier(const Analysis& analysis, const StorageBytes& storages,
                                    const RecomputeCost& estimator) {
  const RecomputeProblem in_flops = recompute_problem(analysis, storages, flops_by_node(analysis));
  const bool is_by_flops = &estimator == &recompute_costs().front();
  const Hull hull = trace_hull(is_by_flops ? in_flops : problem_in_costs(in_flops, analysis, storages, estimator));
  Points show(in_flops, estimator.per_shown_unit);
  std::vector<FrontierPoint> points;
  for (const HullCorner& corner : hull.corners) points.push_back(show.of(corner));
  for (const Choice& choice : hull.between) points.push_back(show.of(choice));
  std::stable_sort(points.begin(), points.end(),
                   [](const FrontierPoint& a, const FrontierPoint& b) { return a.saved_bytes < b.saved_bytes; });
  return points;
}

}  // namespace fxcut
