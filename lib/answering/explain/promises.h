// Which values promise to free memory if they are recomputed: estimates, by one pass over the graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explain/fates.h"
#include "pipeline/pipeline.h"

namespace fxcut {

struct Promise {
  NodeId value{0};
  std::int64_t freed_bytes = 0;
  Wide flops = 0;             // of the value itself, at least 1
  std::string modules;        // that it and those alike come from: "layers.0-31.mlp"
  std::vector<NodeId> alike;  // others that promise the same in a layer that repeats
};

// Saved calls, and calls that are banned from being recomputed and because of which something else is saved. The most
// bytes a FLOP first, equals in execution order.
std::vector<Promise> find_promises(const Decision& decision, const Fates& fates, const Settings& settings);

}  // namespace fxcut
