// Recomputes the figures of a report from the graphs.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/graph.h"
#include "verify/crossing.h"
#include "verify/mismatch.h"

namespace fxcut {

struct ReportedSide {
  const Graph& graph;
  std::unordered_set<std::string_view> added_calls;  // names of calls that differ from the joint graph's of that name
  // Calls under a name of their own: what they compute once more.
  std::unordered_map<std::string_view, std::string_view> repeated = {};
};

struct Reported {
  const JointGraph& joint;  // without checkpointed regions that are calls
  const ReportedSide& forward;
  const ReportedSide& backward;
  const std::vector<CrossingValue>& crossings;
  const ReportJson& report;
};

// Adds each figure that is wrong, with its place in the report, and returns the number of figures that were checked:
// - for each value that crosses: operator, dtype, shape, bytes, whether it is always resident and whether it is offloaded;
// - the calls that run on both sides, in order, with operator, FLOPs and bytes;
// - the calls that the backward runs once more, with their places;
// - all totals, storages counted once;
// - the memory that the two graphs use while they run, but not that of a whole step.
// Data of the decision itself is not checked: cuts, knapsack, bounds, checkpoint names and reasons.
std::size_t check_figures(const Reported& reported, std::vector<Mismatch>& mismatches);

// The same for the memory that a rewritten whole step uses while it runs, for its optimizer, and for the forms in which it saves
// values in fewer bits.
std::size_t check_step_figures(const JointGraph& before, const Graph& rewritten, const ReportJson& report,
                               std::vector<Mismatch>& mismatches);

}  // namespace fxcut
