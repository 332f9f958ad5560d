// The orders of the schedules in known_schedules.h, each for a size that the schedule accepts.
#pragma once

#include "schedule/known_schedules.h"

namespace fxcut {

Schedule gpipe(const ScheduleSize& size);
Schedule one_forward_one_backward(const ScheduleSize& size);
Schedule looped_bfs(const ScheduleSize& size);
Schedule interleaved_1f1b(const ScheduleSize& size);
Schedule interleaved_zero_bubble(const ScheduleSize& size);
Schedule zbv_zero_bubble(const ScheduleSize& size);
Schedule dual_pipe_v(const ScheduleSize& size);

// The rounds in which the interleaved schedules take the microbatches: about as many in each as there are ranks.
int rounds_of(const ScheduleSize& size);

// The schedule whose ranks run what `run` returns for them.
template <typename Run>
Schedule on_each_rank(const ScheduleSize& size, const Run& run) {
  Schedule schedule;
  for (int rank = 0; rank < size.ranks; ++rank) schedule.push_back(run(rank));
  return schedule;
}

}  // namespace fxcut
