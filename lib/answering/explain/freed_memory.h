// The memory that recomputing a value would free: estimates, by one pass over the graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explain/node_outcomes.h"
#include "pipeline/pipeline.h"

namespace fxcut {

struct FreedMemory {
  NodeId value{0};
  std::int64_t freed_bytes = 0;
  Wide flops = 0;             // of the value itself, at least 1
  std::string modules;        // that it and those alike come from: "layers.0-31.mlp"
  std::vector<NodeId> alike;  // others of which the same is estimated, in layers that repeat
};

// Saved calls, and calls that are banned from being recomputed and because of which something else is saved. The most
// bytes a FLOP first, equals in execution order.
std::vector<FreedMemory> estimate_freed_memory(const Decision& decision, const NodeOutcomes& outcomes,
                                               const Settings& settings);

}  // namespace fxcut
