// Estimates of the memory that recomputing a value would free, by one pass over the graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explain/node_outcomes.h"
#include "partition/partition.h"
#include "text/quantities.h"

namespace fxcut {

struct FreedMemory {
  NodeId value{0};
  std::int64_t freed_bytes = 0;
  Int128 run_time = 0;        // picoseconds, of the value and of what is computed from it up to the saved value
  std::string modules;        // of the value and those alike: "layers.0-31.mlp"
  std::vector<NodeId> alike;  // values of repeated layers with the same estimate

  std::int64_t total_bytes() const { return freed_bytes * static_cast<std::int64_t>(1 + alike.size()); }
  double bytes_per_ms() const { return static_cast<double>(freed_bytes) / (static_cast<double>(run_time) / kPicosecondsPerMs); }
};

// Whether that many bytes are enough to rank by price: at least a tenth of the most that any row frees.
constexpr bool is_worth_ranking(std::int64_t bytes, std::int64_t most) { return bytes >= most / 10; }

// Estimates for saved calls, and for banned calls because of which another value is saved, in execution order.
std::vector<FreedMemory> estimate_freed_memory(const Decision& decision, const NodeOutcomes& outcomes,
                                               const Settings& settings);

}  // namespace fxcut
