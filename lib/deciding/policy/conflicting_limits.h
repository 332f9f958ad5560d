// Limits of memory, and what goes with them, that cannot be combined.
#pragma once

#include "policy/policy_stack.h"
#include "settings/settings.h"

namespace fxcut {

// Throws Failure (Usage) if limits of memory are combined, or set for another solver than frontier; or if what goes with a limit
// (recompute_again, offload=auto, compress, the quantization of activations) lacks the limit that it needs, or has one that does
// not know of it.
void refuse_conflicting_limits(const Settings& settings);

// Throws Failure (Usage) if a policy has values saved in fewer bits (COMPRESS) where something else does not know of it:
// recompute_again, the quantization of activations; with the solver frontier a choice of the estimator.
void refuse_conflicting_forms(const Settings& settings, const PolicyStack& policies);

}  // namespace fxcut
