// Decisions that need less memory than one that was made, and what they cost.
//
// They are corners of the trade-off between held bytes and recomputation (frontier/hull.h), spread over the bytes below those
// of the decision. The held bytes say little about the peak, so each corner's step is simulated, and a few of those whose peaks
// fall with their bytes are taken, spread over the peaks. If the peak is that of compiled code, it is then predicted for each of
// these.
#pragma once

#include <future>
#include <memory>
#include <vector>

#include "graph/graph.h"
#include "partition/partition.h"
#include "policy/policy_stack.h"
#include "report/holding_less.h"
#include "report/report.h"
#include "settings/settings.h"

namespace fxcut {

class WaysOut {
 public:
  // Finds the corners and simulates their steps, which needs no decision, and so may run beside one. `joint` is as it was read;
  // limits of memory in `settings` are ignored. Throws Failure (NoPartition) if the solver refuses the graph with any limit.
  WaysOut(JointGraph joint, Settings settings, const PolicyStack& policies);
  ~WaysOut();

  // Highest peak first; empty for a whole step, a graph without a backward, and settings that estimate other than run times.
  // `decided` is the report on the decision.
  std::vector<WayOut> below(const Report& decided) const;

 private:
  class Corners;
  std::unique_ptr<Corners> corners_;  // null where there are none
};

// The same as a value to wait for: begun on a thread of its own if the graph is worth one; null if the solver refuses the graph.
using WaysOutAhead = std::shared_future<std::shared_ptr<const WaysOut>>;
WaysOutAhead find_ways_out_ahead(std::shared_ptr<const JointGraph> joint, const Settings& settings, const PolicyStack& policies);

// The partitions that the commands of `ways` make, in their order, without those that the solver refuses. `joint`, `settings` and
// `policies` are those of find_ways_out.
struct WayTaken {
  WayOut way;
  Partition partition;
};
std::vector<WayTaken> take_ways_out(const std::vector<WayOut>& ways, const JointGraph& joint, const Settings& settings,
                                    const PolicyStack& policies);

}  // namespace fxcut
