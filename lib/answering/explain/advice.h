// Ways to need less memory than a decision does. Each was found by deciding again, and so were its figures.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "partition/partition.h"
#include "partition/ways_out.h"
#include "report/holding_less.h"

namespace fxcut {

// The decision that the advice is about, and the options that its commands repeat.
struct AdviceRequest {
  std::shared_ptr<const JointGraph> joint;  // as it was read; null if it is too large to be decided again
  Settings settings;
  PolicyStack policies;
  std::string graph, options;  // for the shell: the graph's name, and the options of the decision
  std::string without_limits;  // the same options but for limits of memory
  WaysOutAhead ways = {};      // begun by begin_ways_out(), beside the decision
};

// Starts the search for decisions that hold less, if `joint` is given and the decision heeds limits but has none.
void begin_ways_out(AdviceRequest& request);

// Whether a graph of that many nodes is small enough to be decided again at least once in no noticeable time.
bool is_tried_for_advice(std::size_t nodes);

// Decisions within limits of the held bytes (partition/ways_out.h); the first row of `explain --top`, if few decisions find it;
// the memory that --recompute-gathered frees; and the commands that show further ways. Nothing if no activations are held, and
// nothing for a replay. Under a limit of memory only the command that shows the trade-off, since the solver fills freed memory
// again; not even that if the user chose the partitioner that has no limits.
HoldingLess advise(const Partition& partition, const AdviceRequest& request);

}  // namespace fxcut
