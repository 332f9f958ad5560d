// Parts of the report that have files of their own: checkpoint names, the end of the search, soundness, memory.
#pragma once

#include <string>
#include <vector>

#include "inductor/predict_memory.h"
#include "memory/memory_profile.h"
#include "report/report.h"
#include "report/running_graphs.h"

namespace fxcut {

// One row for each occurrence of a checkpoint name, in the order of `names`. `joint` is the graph that was decided on;
// `report` has its saved values.
std::vector<NameUse> describe_names(const std::vector<NameAsRead>& names, const JointGraph& joint, const Report& report,
                                    const GraphPair& graphs);

// Warns in `warnings` if the frontier solver's search was cut short by its time limit or by the user.
void describe_search(Report& report);

// The fault with its names and its text.
UnsoundValue unsound_value(const Graph& joint, const Unsound& one);

// Fills `unsound` and `repairs`, and warns of both in `warnings`.
void describe_soundness(Report& report, const JointGraph& joint, const SavedValues& choice,
                        const std::vector<Unsound>& unsound);

// The profile's peaks and totals, and the buffers in use at the peak.
MemoryReport describe_memory(const MemoryProfile& profile, const RunningGraphs& graphs);

// Describes the whole step, its regions and its optimizer. `as_read` is the step before the decision; the profile is of `step`.
StepReport describe_step(const Graph& as_read, const Graph& step, const MemoryProfile& profile);

PredictedMemoryReport describe_predicted_memory(const PredictedMemory& memory, const GraphPair& graphs);

// The curve as CSV, for plotting, a line for each step: its number from 0, the graph (for a whole step the phase), the node, its
// operator, the bytes while it runs and after it; parameters and other inputs are not included.
std::string memory_curve_csv(const MemoryProfile& profile, const RunningGraphs& graphs);

}  // namespace fxcut
