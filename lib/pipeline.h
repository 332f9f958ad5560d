// From a joint graph to its partition: the stages, in order.
#pragma once

#include <functional>

#include "cost/recompute_cost.h"
#include "frontier/frontier_points.h"
#include "graph/graph.h"
#include "memory/memory_profile.h"
#include "policy/policy_stack.h"
#include "policy/settings.h"
#include "report/report.h"

namespace fxcut {

using TimeIsUp = std::function<bool()>;

struct Partition {
  GraphPair graphs;
  // What get_attr nodes of the two graphs refer to, dead code gone.
  std::vector<std::pair<std::string, Subgraph>> subgraphs;
  Report report;
  MemoryProfile memory;
};

// The partition that PyTorch makes, in the release that `joint` asks for: by min_cut_rematerialization_partition, or by
// default_partition where the settings say so. Either hands some graphs over to the other. `policies` say more of what
// is to be kept, outermost first. Throws Failure (NoPartition) where there is no partition. `time_is_up` is asked now
// and then by what may take long to become better.
Partition partition(JointGraph joint, const Settings& settings, const PolicyStack& policies = {},
                    const TimeIsUp& time_is_up = [] { return false; });

// The partition that `decision`, the report of an earlier one, says: under its settings and policies, with its saved
// values in the place of a solver's. The same graph gives the same bytes. A report may have been edited: then it is as
// it says, or Failure says why that cannot be. Throws Failure (BadInput) where the report is of another graph, with
// what differs; Failure (NoPartition) where a value can neither be saved nor recomputed.
Partition replay(JointGraph joint, const Report& decision);

// The trade-off between memory and recomputation that the frontier solver sees in `joint`: see frontier/frontier.h.
// None where nothing is left to the backward. Costs are `estimator`'s.
std::vector<FrontierPoint> trace_frontier(JointGraph joint, const Settings& settings, const RecomputeCost& estimator,
                                          const PolicyStack& policies = {});

}  // namespace fxcut
