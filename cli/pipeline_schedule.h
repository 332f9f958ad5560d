// The schedule of a pipeline, from the options that name it.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "schedule/schedule.h"

namespace fxcut {

struct ScheduleRequest {
  static constexpr int kNotGiven = std::numeric_limits<int>::min();

  std::string name;  // of a known schedule, or a file's path
  int microbatches = kNotGiven;
  int ranks = kNotGiven;
};

// The names of PyTorch's schedules: "GPipe, 1F1B, ...".
std::string schedule_names();

// The schedule's name in reports: PyTorch's, or the file's.
std::string name_of(const ScheduleRequest& request);

// The schedule for `stages` stages. Throws Failure (Usage) if the name is neither known nor a file's, with the nearest; if
// microbatches are missing, or they or ranks do not fit the stages or the file; and what make_schedule and read_schedule throw.
Schedule schedule_for(const ScheduleRequest& request, std::size_t stages);

}  // namespace fxcut
