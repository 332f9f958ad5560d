// From a joint graph to its partition: the stages, in order.
#pragma once

#include <memory>
#include <optional>

#include "cost/estimators.h"
#include "frontier/effort.h"
#include "frontier/frontier_points.h"
#include "memory/memory_profile.h"
#include "pipeline/decision.h"
#include "pipeline/stages.h"
#include "report/report.h"
#include "settings/settings.h"

namespace fxcut {

struct Partition {
  GraphPair graphs;
  // What get_attr nodes of the two graphs refer to, dead code gone.
  Subgraphs subgraphs;
  Report report;
  MemoryProfile memory;
  // What it was decided on, where nobody else has that: to free it takes long, so it goes when this goes.
  std::shared_ptr<const Decision> decision = {};
};

// The first half of `partition`, below: what is saved and why.
Decision decide(JointGraph joint, const Settings& settings, const PolicyStack& policies, const HaltRequested& halt,
                const std::optional<ForcedTag>& forced = {});

// The second half: both graphs, and the report on them. `settings` are those that it was decided under.
Partition carry_out(const Decision& decision, const Settings& settings, const StageDone& done = kNoProgress);

// The partition that PyTorch makes, in the release that `joint` asks for: by min_cut_rematerialization_partition, or by
// default_partition where the settings say so. Either hands some graphs over to the other. `policies` say more of what
// is to be kept, outermost first. Throws Failure (NoPartition) where there is no partition. `halt` is asked now
// and then by what may take long to become better.
Partition partition(JointGraph joint, const Settings& settings, const PolicyStack& policies = {},
                    const HaltRequested& halt = kNeverHalt, const StageDone& done = kNoProgress);

// The partition that `decision`, the report of an earlier one, says: under its settings and policies, with its saved
// values in the place of a solver's. The same graph gives the same bytes. A report may have been edited: then it is as
// it says, or Failure says why that cannot be. Throws Failure (BadInput) where the report is of another graph, with
// what differs; Failure (NoPartition) where a value can neither be saved nor recomputed.
Partition replay(JointGraph joint, const Report& decision, const StageDone& done = kNoProgress);

// The trade-off between memory and recomputation that the frontier solver sees in `joint`: see frontier/frontier.h.
// None where nothing is left to the backward. Costs are `estimator`'s.
std::vector<FrontierPoint> trace_frontier(JointGraph joint, const Settings& settings, const Estimator& estimator,
                                          const PolicyStack& policies = {});

}  // namespace fxcut
