// The memory of a training step as a curve, for plotting.
#pragma once

#include <string>

#include "memory/memory_profile.h"

namespace fxcut {

// A line a step: its number from 0, the graph, the node, its operator, the bytes while it runs and behind it,
// parameters and other inputs apart.
std::string memory_curve_csv(const MemoryProfile& profile, const GraphPair& graphs);

}  // namespace fxcut
