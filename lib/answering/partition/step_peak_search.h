// A whole step within a limit of its peak.
//
// The solver simulates the two parts of a step, one after the other (peak/step_simulation.h). The step itself may take more or
// less, since values that several regions of the backward use are recomputed in each. So the solver's proofs about the parts do
// not apply to the step, and the steps of several decisions are compared: the solver's, with and without merging equal calls,
// which holds values longer, and that of the step's own tags.
#pragma once

#include <functional>

#include "diagnostic/attempt.h"
#include "diagnostic/diagnostic.h"
#include "partition/partition.h"

namespace fxcut {

// Makes the partition under these settings.
using DecideStep = std::function<Attempt<Partition>(const Settings&)>;

// The partition made by `decide` that recomputes least among those whose step is within the limit of `settings`; with the limit
// "least", the one with the lowest peak. Its report's settings are those that it was decided under, except the limit. The failure
// if there is none has the lowest peak found.
Attempt<Partition> step_within_peak(const Settings& settings, const DecideStep& decide);

}  // namespace fxcut
