// The values that a stage sends to another for each microbatch.
//
// In PyTorch's splitter (torch/distributed/pipelining/_IR.py) a value goes from its stage straight to every stage that uses it,
// skipping those between, and its gradient goes back the same way. Between stages of one rank nothing is sent.
#pragma once

#include <cstdint>

namespace fxcut {

struct StageLink {
  int from = 0, to = 0;             // stages; from < to
  std::int64_t forward_bytes = 0;   // of values
  std::int64_t backward_bytes = 0;  // of gradients, from `to` to `from`
  double forward_ms = 0, backward_ms = 0;  // if it takes time

  bool skips() const { return to - from > 1; }  // stages, which PyTorch's schedules refuse
};

}  // namespace fxcut
