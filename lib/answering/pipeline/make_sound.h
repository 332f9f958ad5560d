// Repairs a decision that would compute something else than the joint graph does.
#pragma once

#include "extract/forward_backward.h"
#include "pipeline/decision.h"

namespace fxcut {

// Forward and backward as the decision has them. Throws Failure (NoPartition) where the backward lacks a value.
ForwardBackward plan(const Decision& decision);

// Saves more until what the partition computes is what the joint graph does, or saving repairs nothing more. A call
// whose generator's state is saved is tagged to be recomputed. Decisions that the setting `sound` leaves alone come back
// as they are.
Decision make_sound(Decision decision, const Settings& settings);

}  // namespace fxcut
