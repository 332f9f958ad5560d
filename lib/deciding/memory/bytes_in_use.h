// The bytes in use over time, from when each piece of memory is there.
//
// Code that counts memory finds pieces of it, and the first and last moments of each: memory/lifetimes.h in the two graphs,
// or in a whole step; peak/step_simulation.h without making the graphs, and peak/backward_with_drops.h with values that are
// recomputed again; compiled/step_replay.h in the statements of code that inductor generated. For the first two, which tensors
// are in one piece is in memory/placement.h. Others add up as they go: predicted code (inductor/plan_buffers.h), where what a
// line frees depends on those before it; the order of kernels (inductor/order_kernels.h), which frees other sizes than it
// allocates, as inductor does; and the lowest peak (peak/least_peak.h), which stops early. answering/verify counts on its own.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "graph/int128.h"

namespace fxcut {

class BytesInUse {
 public:
  explicit BytesInUse(std::size_t moments = 0) { begin(moments); }

  // Forgets everything; there are that many moments from now on.
  void begin(std::size_t moments) {
    moments_ = moments;
    bytes_.assign(moments + 1, 0);
  }

  // A piece that is there at the moments from `first` to `last`, or to the end, if `last` is beyond it. `first` may be the number
  // of moments: then it is never there.
  void add(Int128 bytes, std::size_t first, std::size_t last) {
    bytes_[first] += bytes;
    if (last < moments_) bytes_[last + 1] -= bytes;
  }

  struct Peak {
    Int128 bytes;
    std::size_t moment;
  };
  // The first moment with most bytes, if these are more than those of `peak`; otherwise `peak`. Once after begin(), at the end.
  Peak add_up(Peak peak = {0, 0}) {
    bytes_.resize(moments_);
    Int128 now = 0;
    for (std::size_t m = 0; m < moments_; ++m) {
      bytes_[m] = now += bytes_[m];
      if (now > peak.bytes) peak = {now, m};
    }
    return peak;
  }
  // By moment, after add_up().
  const std::vector<Int128>& bytes() const { return bytes_; }

  // By moment, what is added up.
  std::vector<Int128> sums() && {
    add_up();
    return std::move(bytes_);
  }

 private:
  std::size_t moments_ = 0;
  std::vector<Int128> bytes_;  // until they are added up, the change from moment to moment
};

// Memory at a step.
struct MemoryUse {
  Int128 bytes = 0;        // while it runs: what it needs and makes, and all that is needed later
  Int128 bytes_after = 0;  // after memory that it was the last to use is freed
};

// The same for steps, each of which has a moment while it runs and one after it.
class MemoryCurve {
 public:
  explicit MemoryCurve(std::size_t steps) : steps_(steps), in_use_(2 * steps) {}

  // A piece that is there from the step that allocates it to the one after which it is freed; if that is none, to the end.
  void add(Int128 bytes, std::size_t first, std::size_t last) {
    in_use_.add(bytes, 2 * first, last < steps_ ? 2 * last : 2 * steps_);
  }

  std::vector<MemoryUse> add_up() && {
    const std::vector<Int128> bytes = std::move(in_use_).sums();
    std::vector<MemoryUse> curve(steps_);
    for (std::size_t s = 0; s < steps_; ++s) curve[s] = {bytes[2 * s], bytes[2 * s + 1]};
    return curve;
  }

 private:
  std::size_t steps_;
  BytesInUse in_use_;
};

}  // namespace fxcut
