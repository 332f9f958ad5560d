// Limits of memory, and what goes with them, that cannot be combined.
#pragma once

#include "settings/settings.h"

namespace fxcut {

// Throws Failure (Usage) if limits of memory are combined, or set for another solver than frontier; or if what goes with a limit
// (recompute_again, offload=auto, compress, the quantization of activations) lacks the limit that it needs, or has one that does
// not know of it.
void refuse_conflicting_limits(const Settings& settings);

}  // namespace fxcut
