// From a joint graph to its partition: the stages, in order.
#pragma once

#include "graph/graph.h"
#include "memory/memory_profile.h"
#include "policy/policy_stack.h"
#include "policy/settings.h"
#include "report/report.h"

namespace fxcut {

struct Partition {
  GraphPair graphs;
  // What get_attr nodes of the two graphs refer to, dead code gone.
  std::vector<std::pair<std::string, Subgraph>> subgraphs;
  Report report;
  MemoryProfile memory;
};

// The partition that PyTorch makes, in the release that `joint` asks for: by min_cut_rematerialization_partition, or by
// default_partition where the settings say so. Either hands some graphs over to the other. `policies` say more of what is to be kept, outermost first. Throws Failure (NoPartition)
// where there is no partition.
Partition partition(JointGraph joint, const Settings& settings, const PolicyStack& policies = {});

}  // namespace fxcut
