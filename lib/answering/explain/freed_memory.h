// Estimates of the memory that recomputing a value would free, by one pass over the graph.
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
  std::string modules;        // of the value and those alike: "layers.0-31.mlp"
  std::vector<NodeId> alike;  // values of repeated layers with the same estimate
};

// Estimates for saved calls, and for banned calls because of which another value is saved. The most bytes per FLOP first,
// equal ones in execution order.
std::vector<FreedMemory> estimate_freed_memory(const Decision& decision, const NodeOutcomes& outcomes,
                                               const Settings& settings);

}  // namespace fxcut
