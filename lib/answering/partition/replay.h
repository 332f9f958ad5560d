// Replays: the saved values of a report become the decision on a graph, in place of a solver's, and are checked.
//
// The report's rows are the values that cross, in their order; a solver may have listed more that the backward did not
// need. Apart from offloading nothing else of the report is used: the graph, the settings and the policies give the tags,
// and those the rest. So a report can be edited by hand; impossible edits are refused.
#pragma once

#include <vector>

#include "cost/analysis.h"
#include "diagnostic/diagnostic.h"
#include "extract/forward_backward.h"
#include "graph/fingerprint.h"
#include "graph/graph.h"
#include "report/report.h"
#include "solve/saved_values.h"

namespace fxcut {

// `joint` is the graph as it was read. Throws Failure (BadInput) if `decision` is for another graph or by another release of
// PyTorch, with the differing aspects of the graphs, and the rows that name a node that is missing or has another operator,
// dtype or shape. For reports without a fingerprint only the rows are checked; sizes may differ if either was given hints.
void require_same_graph(const Report& decision, const GraphFingerprint& fingerprint, const JointGraph& joint);

// `joint` is normalised and its tags are resolved; `tangents_closure` (by node) are the nodes that only the backward can
// compute. Throws Failure (NoPartition) for each row that cannot be saved: its node was merged into another, is dead code, has
// two rows, or is computed in the backward only.
SavedValues replayed_values(const JointGraph& joint, const std::vector<bool>& tangents_closure, const Report& decision,
                            Partitioner partitioner);

// Has the meta of the saved values that the decision compresses say so, other than by PyTorch's quantization. Returns whether
// there are any. Throws Failure (NoPartition) if a value does not have a form of that kind.
bool mark_compressed_as(JointGraph& joint, const Report& decision);

// Marks the saved values that the decision offloads, and what it lists as refused. Other marks of saved values go, or, beside
// copies that a solver chose, all others unless `own_marks_count`. Returns whether any value is offloaded.
bool mark_offloaded(JointGraph& joint, const Report& decision, bool own_marks_count);

// A report lists what its run recomputed; an edited one leaves more to recompute. Some calls must not be recomputed: an
// input, a side effect, a collective, MUST_SAVE, a generator whose state cannot be restored.

// Turns the failure of a plan whose backward lacks a value into one of the decision.
Failure saves_too_little(const Failure& failure);

// The random operators that both sides compute and whose generator states have to be saved. They replace the tags that the
// frontier solver sets on the calls that it recomputes. Throws Failure (NoPartition) if one must not be recomputed.
std::vector<NodeId> random_states_to_save(const Analysis& analysis, const ForwardBackward& sides, const Report& decision);

// Throws Failure (NoPartition) for each operator that `replayed` recomputes, but the decision does not list and that must not
// be recomputed, with the reason.
void refuse_wrong_recomputing(const Analysis& analysis, const Report& replayed, const Report& decision);

// Gives the rows of `report` the reasons of `decision`. If the totals are equal, so are the cuts, the knapsack and the
// frontier's facts; otherwise the decision was edited, and `report` warns of that, as it does of rows that are not needed. Throws
// Failure (NoPartition) for a row that was to be offloaded and was not.
void restore_reasons(Report& report, const Report& decision);

}  // namespace fxcut
