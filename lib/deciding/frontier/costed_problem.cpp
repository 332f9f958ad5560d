#include "frontier/costed_problem.h"

namespace fxcut {

RecomputeProblem costed_problem(const Analysis& a, const StorageBytes& storages, const Estimator& estimator) {
  RecomputeProblem in_flops = recompute_problem(a, storages, flops_by_node(a));
  if (&estimator == &estimators().front()) return in_flops;
  std::vector<NodeId> nodes;
  for (const Item& item : in_flops.items) {
    if (item.never == Ban::None && item.run_cost > 0) nodes.push_back(item.node);
  }
  const std::vector<Wide> costs = cost_of_nodes(estimator, a.graph(), nodes, a.settings, a.joint.torch.release);
  std::vector<Wide> by_node(a.graph().size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) by_node[index_of(nodes[i])] = costs[i];
  return recompute_problem(a, storages, by_node);
}

}  // namespace fxcut
