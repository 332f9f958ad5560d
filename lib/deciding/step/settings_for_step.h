// The settings under which a graph is decided on.
#pragma once

#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// The setting memory_of; if there is none, of the compiled code where the graph says that inductor compiles it.
MemoryOf memory_of(const JointGraph& joint, const Settings& settings);

// `given`, with that, and for settings that the graph's release does not have with what it does in their place; but for a whole step: PyTorch rematerialises there by tags only, so that without a limit of memory and without a
// choice of the partitioner nothing else decides; what the minimum cut decides is repaired, since PyTorch has none there to
// follow; and generators' states are values, since a step has no inputs for generators. Throws Failure (Usage) where the
// partitioner `tags` is to decide on a joint graph.
Settings settings_for(const JointGraph& joint, Settings given);

}  // namespace fxcut
