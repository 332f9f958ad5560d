// A whole step within a limit of its peak.
//
// The solver simulates the two parts of a step, one after the other (peak/step_simulation.h). The step itself may take less, as
// what several regions of the backward use is recomputed in each, or more. So what the solver proves of the parts says nothing of
// the step, and the steps that several decisions make are compared: of the solver, with and without equal calls merged, which
// holds values longer, and of the step's own tags.
#pragma once

#include <functional>

#include "diagnostic/diagnostic.h"
#include "pipeline/pipeline.h"

namespace fxcut {

// Makes the partition under these settings; throws Failure (NoPartition) if there is none.
using DecideStep = std::function<Partition(const Settings&)>;

// The partition made by `decide` that recomputes least among those whose step is within the limit of `settings`; with the limit
// "least", the one with the lowest peak. Its report's settings are those that it was decided under, except the limit. Throws
// Failure (NoPartition) if there is none, with the lowest peak found.
Partition step_within_peak(const Settings& settings, const DecideStep& decide);

// That no decision was found that keeps to the limit, and the memory of the one that comes nearest.
Failure above_limit(const MemoryReport& lowest, const MemoryLimit& limit);

}  // namespace fxcut
