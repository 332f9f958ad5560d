// From the plan of a partition to its two graphs: copies of the planned nodes, and passes over them that do not change
// the decision.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "extract/forward_backward.h"
#include "finish/run_again.h"
#include "graph/graph.h"
#include "graph/naming.h"
#include "offload/candidates.h"
#include "quantize/cross_compressed.h"
#include "settings/settings.h"

namespace fxcut {

// The backward without calls of naming operators, whose users use the named value instead. Names matter only for the
// decision; recomputing them would only copy.
Graph drop_names(Graph backward, const std::vector<std::string>& naming_operators);

// The facts of the decision that the passes depend on.
struct FinishingNeeds {
  Partitioner partitioner = Partitioner::MinCut;  // the one that decided
  bool has_regions = false;                       // some node was tagged to be recomputed
  bool has_random_regions = false;                // a random operator was
  bool backward_is_empty = false;
  bool has_policies = false;
  bool policies_offload = false;  // a policy offloads values
  bool compresses = false;        // the decision has saved values cross in fewer bits
  std::vector<RecomputedAgain> again = {};  // by the decision
  std::set<std::string> effects = {};       // names of calls that stay in the backward, where PyTorch loses them
};

// Whether values are copied to the host.
bool offloads(const Settings& settings, const FinishingNeeds& needs, Release release);

// Both sides in execution order, saved values quantized, random operators with shared states; without copies to the host,
// barriers and generators of subgraphs.
struct Ordered {
  GraphPair graphs;
  NamespacePair names;  // used names; empty if no more nodes are added
  std::vector<QuantizedValue> quantized;
};

struct Finished {
  GraphPair graphs;
  Subgraphs subgraphs;  // of the graphs' get_attr nodes
  std::vector<OffloadCandidate> offloads;                   // the values marked for offloading, with results
  std::vector<QuantizedValue> quantized = {};               // the values that cross in 8 bits
  std::vector<RunAgain> again = {};                         // what the backward recomputes once more, in its order
};

// The passes of PyTorch's min_cut_rematerialization_partition and default_partition, in their order, in two halves.
// Throw Failure (NoPartition) if a side has no input, or if a pass of PyTorch's would fail.
Ordered order(const ForwardBackward& sides, const JointGraph& joint, const Settings& settings,
              const FinishingNeeds& needs);
Finished finish(Ordered ordered, const ForwardBackward& sides, const JointGraph& joint, const Settings& settings,
                const FinishingNeeds& needs);

}  // namespace fxcut
