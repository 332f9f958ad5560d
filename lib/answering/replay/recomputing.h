// What a replayed decision has the backward compute again.
#pragma once

#include <string>
#include <vector>

#include "cost/analysis.h"
#include "diagnostic/diagnostic.h"
#include "extract/forward_backward.h"
#include "report/report.h"

namespace fxcut {

// A report lists what its run recomputed; an edited one leaves more to recompute. Of that, computing some again would
// be wrong: an input, a side effect, a collective, MUST_SAVE, a generator that cannot be set back.

// The failure of a plan whose backward lacks a value, as one of the decision.
Failure saves_too_little(const Failure& failure);

// The random operators that both sides compute and of which the state of their generator has to be saved: in the place
// of the tags that the frontier solver puts on what it recomputes, too. Throws Failure (NoPartition) where one
// cannot be computed again.
std::vector<NodeId> random_states_to_save(const Analysis& analysis, const ForwardBackward& sides,
                                          const Report& decision);

// Throws Failure (NoPartition) for each operator that `replayed` has recomputed though the decision does not say so and
// it must not be, with the reason.
void refuse_wrong_recomputing(const Analysis& analysis, const Report& replayed, const Report& decision);

}  // namespace fxcut
