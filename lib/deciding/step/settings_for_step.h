// The settings under which a graph is decided on.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// The setting memory_of; if there is none, of the compiled code where the graph says that inductor compiles it.
MemoryOf memory_of(const JointGraph& joint, const Settings& settings);

// `given`, with that, and with what the graph's release acts by in the place of settings that it does not have. For a whole step:
// PyTorch rematerialises there by tags only, so that without a limit of memory and without a choice of the partitioner nothing
// else decides; what the minimum cut decides is repaired, since PyTorch has none there to follow; and generators' states are
// values, since a step has no inputs for generators. Throws Failure (Usage) where the partitioner `tags` is to decide on a joint
// graph.
Settings settings_for(const JointGraph& joint, Settings given);

// A sentence for each setting that is given otherwise than by default and that the release does not have.
std::vector<std::string> settings_without_effect(Release release, const Settings& given);

}  // namespace fxcut
