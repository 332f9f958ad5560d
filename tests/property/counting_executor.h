// Runs the two graphs of a partition with buffers that count: nothing is computed, but each value holds what it would
// hold, and a buffer is freed with its last holder. What shares memory is told by the operator, not by storage numbers.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "pipeline/pipeline.h"

namespace fxcut {

// The bytes in use while a node runs, and when what nobody needs any longer is gone.
struct CountedStep {
  std::int64_t bytes = 0;
  std::int64_t bytes_after = 0;
};

struct CountedRun {
  std::vector<CountedStep> steps;  // of all nodes but placeholders, the forward's first
  std::int64_t static_bytes = 0;
  std::int64_t input_bytes = 0;
};

// `joint` is the graph as it was read, whose values say how large each storage is.
CountedRun run_counting(const JointGraph& joint, const Partition& partition);

}  // namespace fxcut
