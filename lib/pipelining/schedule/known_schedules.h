// PyTorch's schedules by name, action by action (get_schedule_class of torch/distributed/pipelining/schedules.py; the same in
// 2.13 and 2.15).
//
//   GPipe                  all forwards, then all backwards
//   1F1B                   forwards until the first gradient arrives, then one backward and one forward in turn: rank r of R
//                          holds R - r microbatches. PyTorch's picture of it counts the last rank's forwards from 1; these are
//                          the actions that it runs
//   LoopedBFS              GPipe with several stages on a rank, r, r + R, ...: all forwards of one stage, then of the next
//   Interleaved1F1B        1F1B with several stages on a rank, in rounds of R microbatches
//   InterleavedZeroBubble  the same, its backward split into gradients of inputs and of weights: the latter fill the gaps
//   ZBVZeroBubble          two stages on a rank, r and 2R - 1 - r, the backward split
//   DualPipeV              the same two stages; the forward of one and the backward of the other run at once
#pragma once

#include <string_view>
#include <vector>

#include "schedule/schedule.h"

namespace fxcut {

struct ScheduleSize {
  int ranks = 1;
  int stages_per_rank = 1;
  int microbatches = 1;
};

struct KnownSchedule {
  std::string_view name;
  int least_stages_per_rank, most_stages_per_rank;  // most: 0 for any number
  Schedule (*make)(const ScheduleSize& size);       // for a size that the schedule accepts
};

const std::vector<KnownSchedule>& known_schedules();

// The schedule of that name, ignoring case as PyTorch does; null if there is none.
const KnownSchedule* find_schedule(std::string_view name);

// The schedule in that size. Throws Failure (Usage) if PyTorch refuses it: too many or few stages on a rank, fewer
// microbatches than stages (1F1B, DualPipeV), or microbatches that do not divide into equal rounds (the interleaved ones).
Schedule make_schedule(const KnownSchedule& known, const ScheduleSize& size);

}  // namespace fxcut
