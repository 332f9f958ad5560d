// The figures of a report, counted again from the graphs.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "graph/graph.h"
#include "verify/crossing.h"
#include "verify/mismatch.h"

namespace fxcut {

struct ReportedSide {
  const Graph& graph;
  std::unordered_set<std::string_view> added_calls;  // names of calls that are not the joint graph's of that name
};

struct Reported {
  const JointGraph& joint;  // without checkpointed regions that are calls
  const ReportedSide& forward;
  const ReportedSide& backward;
  const std::vector<CrossingValue>& crossings;
  const ReportJson& report;
};

// Adds each figure that is not true, with its place in the report, and returns how many there are:
// - of each value that crosses its operator, dtype, shape, bytes, whether it lives anyway and whether it is offloaded;
// - which calls run on both sides, in order, with operator, FLOPs and bytes;
// - all totals, storages counted once;
// - the memory that the two graphs take while they run.
// Not counted again is what only the decision knows: cuts, knapsack, bounds, checkpoint names and reasons.
std::size_t check_figures(const Reported& reported, std::vector<Mismatch>& mismatches);

}  // namespace fxcut
