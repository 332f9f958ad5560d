// What a report says is saved, as the decision on a graph: in the place of what a solver would decide.
//
// The report's rows are the values that cross, in their order; a solver may have listed more, which the backward
// turned out not to need. Nothing else of the report counts but what goes to the host: the graph, the settings and the
// policies give the tags, and those the rest. So a report can be edited by hand. What cannot be done is refused.
#pragma once

#include "graph/graph.h"
#include "report/report.h"
#include "solve/saved_values.h"

namespace fxcut {

// `joint` is normalised and its tags are resolved; `tangents_closure` (by node) is what only the backward can compute.
// Throws Failure (NoPartition) for each row that cannot be saved: its node was merged into another or is dead code,
// stands in two rows, or is computed in the backward only.
SavedValues replayed_values(const JointGraph& joint, const std::vector<bool>& tangents_closure, const Report& decision,
                            Partitioner partitioner);

// Marks what the decision has on the host, and nothing else that it saves. Returns whether anything is.
bool mark_offloaded(JointGraph& joint, const Report& decision);

}  // namespace fxcut
