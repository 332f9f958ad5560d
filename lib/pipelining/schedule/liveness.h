// How long what a forward saves is needed on its rank, and how much is in flight: analyze_pipeline_activation_liveness of
// torch/distributed/pipelining/schedules.py, which PyTorch has since 2.15.
//
// A lifetime starts with the forward of its stage and microbatch and ends with their full backward, or with the backward for
// weights if the backward is split; actions are points in time, both ends count, and the parts of an overlap are at one point.
// Each lifetime has a slot, which is free again after the action that ends it. The lowest free slot goes to the lifetime that
// starts first, so that as many slots are used as lifetimes overlap.
#pragma once

#include <cstddef>
#include <vector>

#include "schedule/schedule.h"

namespace fxcut {

struct ActivationLifetime {
  int stage = 0, microbatch = 0;
  std::size_t first = 0, last = 0;  // positions in the rank's actions
  int slot = 0;
};

struct ActivationLiveness {
  std::vector<ActivationLifetime> lifetimes;  // by stage, then microbatch
  int slots = 0;                              // the most that are in flight at once
};

// PyTorch's granularity: a slot for each stage and microbatch, or for each microbatch, from the first forward to the last
// backward of any of the stages.
enum class LivenessOf { StageMicrobatch, Microbatch };

// The liveness over a rank's actions. `schedule` has no mistakes (find_mistakes).
ActivationLiveness find_liveness(const Schedule& schedule, int rank, LivenessOf granularity);

}  // namespace fxcut
