// The channel between device and host, and the times of what runs concurrently with its copies.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/analysis.h"
#include "cost/estimators.h"

namespace fxcut {

struct HostChannel {
  double picoseconds_per_byte = 0;  // in each direction
  bool overlaps = true;             // copies run while the device computes; false: it waits for each
  std::int64_t most_bytes = 0;      // of host memory
  bool is_by_time = true;           // waits and copies back are placed by times (dialect ao); false: at the uses
  bool waits_at_end = false;        // then all copies to the host are waited for at the forward's end
};

HostChannel channel_of(const Settings& settings);

// For each node of the graph, picoseconds. Throws Failure (Usage) if the estimator does not estimate times.
std::vector<Int128> run_times(const Analysis& analysis, const Estimator& estimator);

}  // namespace fxcut
