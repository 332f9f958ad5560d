// The settings under which a graph is decided on.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// The setting memory_of; in place of OfGraph, Compiled if the graph says that inductor compiles it.
MemoryOf memory_of(const JointGraph& joint, const Settings& settings);

// `given`, with that, and with the values that the graph's release acts by in place of settings that it does not have. For a
// whole step: PyTorch rematerialises it by tags only, so nothing else decides without a memory limit or a choice of partitioner;
// decisions of the minimum cut are repaired, since PyTorch has none to follow; and generator states are values, since a step has
// no inputs for generators. Throws Failure (Usage) if the partitioner `tags` is to decide on a joint graph, or activations are to
// be quantized in a whole step; Failure (NoPartition) if they are to be as by a release before 2.12.
Settings settings_for(const JointGraph& joint, Settings given);

// A sentence for each setting that is given otherwise than by default and that the release does not have.
std::vector<std::string> settings_without_effect(Release release, const Settings& given);

}  // namespace fxcut
