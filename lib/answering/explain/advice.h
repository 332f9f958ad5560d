// What would need less memory than a decision: only what was decided again, by as much as was found so.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "partition/partition.h"
#include "partition/ways_out.h"
#include "report/holding_less.h"

namespace fxcut {

// What the advice is about, and what its commands repeat.
struct AdviceRequest {
  std::shared_ptr<const JointGraph> joint;  // as it was read; null if it is too large to be decided again
  Settings settings;
  PolicyStack policies;
  std::string graph, options;  // for the shell: the graph's name, and the options of the decision
  std::string without_limits;  // the same options but for limits of memory
  WaysOutAhead ways = {};      // begun by begin_ways_out(), beside the decision
};

// Begins the search for decisions that hold less, where `joint` is given and the decision heeds limits and has none.
void begin_ways_out(AdviceRequest& request);

// Whether a graph of so many nodes is small enough that deciding it again, at least once, takes no time that is noticed.
bool is_tried_for_advice(std::size_t nodes);

// Decisions within limits of the held bytes (partition/ways_out.h); the row that `explain --top` puts first, if few decisions
// find it; what --recompute-gathered frees; and the commands that show what else there is. Nothing if no activations are held,
// and nothing for a replay. Under a limit of memory only the command that shows the trade-off, since what is freed is filled
// again; not even that where the user chose the partitioner that has no limits.
HoldingLess advise(const Partition& partition, const AdviceRequest& request);

}  // namespace fxcut
