// From the plan of a partition to its two graphs: copies of the planned nodes, and the passes over them that change no
// decision.
#pragma once

#include "extract/forward_backward.h"
#include "graph/graph.h"
#include "graph/naming.h"
#include "offload/candidates.h"
#include "settings/settings.h"

namespace fxcut {

// What of the decision the passes depend on.
struct FinishingNeeds {
  Partitioner partitioner = Partitioner::MinCut;  // the one that decided
  bool has_regions = false;                       // some node was tagged to be recomputed
  bool has_random_regions = false;                // a random operator was
  bool backward_is_empty = false;
  bool has_policies = false;
  bool policies_offload = false;  // one of them wants values on the host
};

// Both sides in the order in which they run, random operators under the states that they share; copies to the host,
// barriers and generators of subgraphs are still to come.
struct Ordered {
  GraphPair graphs;
  NamespacePair names;  // that are taken; empty where nothing more is made
};

struct Finished {
  GraphPair graphs;
  Subgraphs subgraphs;  // what their get_attr nodes refer to
  std::vector<OffloadCandidate> offloads;                   // the values marked for offloading, and what became of them
};

// The passes of PyTorch's min_cut_rematerialization_partition and default_partition, in their order, in two halves.
// Throw Failure (NoPartition) where a side has no input, and where a pass of PyTorch's would fail.
Ordered order(const ForwardBackward& sides, const JointGraph& joint, const Settings& settings,
              const FinishingNeeds& needs);
Finished finish(Ordered ordered, const ForwardBackward& sides, const JointGraph& joint, const Settings& settings,
                const FinishingNeeds& needs);

}  // namespace fxcut
