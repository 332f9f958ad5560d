// Decisions that need less memory than one that was made, and what they cost.
//
// They are corners of the trade-off between held bytes and recomputation (frontier/hull.h), spread over the bytes below those
// of the decision. The held bytes say little about the peak, so each corner's step is simulated, and a few of those whose peaks
// fall with their bytes are taken, spread over the peaks. If the peak is that of compiled code, it is then predicted for each of
// these.
#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"
#include "pipeline/pipeline.h"
#include "policy/policy_stack.h"
#include "report/holding_less.h"
#include "report/report.h"
#include "settings/settings.h"

namespace fxcut {

// Highest peak first; empty for a whole step, a graph without a backward, and settings that estimate other than run times.
// nullopt if the solver refuses the graph with any limit. `joint` is as it was read; limits of memory in `settings` are ignored;
// `decided` is the report on the decision.
std::optional<std::vector<WayOut>> find_ways_out(JointGraph joint, Settings settings, const PolicyStack& policies,
                                                 const Report& decided);

// The partitions that the commands of `ways` make, in their order, without those that the solver refuses. `joint`, `settings` and
// `policies` are those of find_ways_out.
struct WayTaken {
  WayOut way;
  Partition partition;
};
std::vector<WayTaken> take_ways_out(const std::vector<WayOut>& ways, const JointGraph& joint, const Settings& settings,
                                    const PolicyStack& policies);

}  // namespace fxcut
