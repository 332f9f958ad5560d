#include "frontier/frontier.h"

#include <algorithm>

#include "frontier/hull.h"
#include "frontier/recompute_problem.h"

namespace fxcut {
namespace {

// Converts choices to points, with their cost and their FLOPs.
class Points {
 public:
  Points(const RecomputeProblem& in_flops, const RecomputeProblem& by_estimator, double per_shown_unit)
      : in_flops_(in_flops), by_estimator_(by_estimator), per_shown_unit_(per_shown_unit) {}

  FrontierPoint of(const Choice& choice) {
    return {.saved_bytes = choice.bytes,
            .recompute_flops = in_flops_.run(choice.kept).run_cost,
            .recompute_cost = static_cast<double>(by_estimator_.run(choice.kept).run_cost) / per_shown_unit_,
            .kept = choice.kept};
  }
  FrontierPoint of(const HullCorner& corner) {
    FrontierPoint point = of(corner.choice);
    point.corner = corner.is_proven;
    point.price_per_byte = corner.price.per_byte() / per_shown_unit_;
    return point;
  }

 private:
  Evaluation in_flops_, by_estimator_;
  double per_shown_unit_;
};

}  // namespace

std::vector<FrontierPoint> frontier(const Analysis& analysis, const StorageBytes& storages, const Estimator& estimator,
                                    std::size_t most_between, HullPrices prices) {
  const RecomputeProblem in_flops = recompute_problem(analysis, storages, flops_by_node(analysis));
  const RecomputeProblem by_estimator = operators_problem(analysis, storages, estimator);
  const Hull hull =
      trace_hull(prices == HullPrices::Kernels ? costed_problem(analysis, storages, estimator) : by_estimator);
  Points show(in_flops, by_estimator, estimator.per_shown_unit);
  std::vector<FrontierPoint> points;
  for (const HullCorner& corner : hull.corners) points.push_back(show.of(corner));
  const std::size_t some = std::min(hull.between.size(), most_between);
  for (std::size_t i = 0; i < some; ++i) points.push_back(show.of(hull.between[i * hull.between.size() / some]));
  std::stable_sort(points.begin(), points.end(),
                   [](const FrontierPoint& a, const FrontierPoint& b) { return a.saved_bytes < b.saved_bytes; });
  return points;
}

}  // namespace fxcut
