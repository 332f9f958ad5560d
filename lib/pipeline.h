// From a joint graph to its partition: the stages, in order.
#pragma once

#include "graph/graph.h"
#include "policy/settings.h"
#include "report/report.h"

namespace fxcut {

struct Partition {
  GraphPair graphs;
  // What get_attr nodes of the two graphs refer to, dead code gone.
  std::vector<std::pair<std::string, Subgraph>> subgraphs;
  Report report;
};

// The partition that PyTorch 2.13's min_cut_rematerialization_partition makes. Throws Failure (NoPartition) where there is
// none.
Partition partition(JointGraph joint, const Settings& settings);

}  // namespace fxcut
