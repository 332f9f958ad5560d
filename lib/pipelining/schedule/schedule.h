// A pipeline schedule: what each rank runs, in order. The model is cut into stages, the batch into microbatches; each rank has
// one stage or several, and runs the forward and the backward of each of its stages for each microbatch.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "schedule/action.h"

namespace fxcut {

// The actions of each rank. Idle slots, which PyTorch's lists have in places, are left out: ranks wait for what they need.
using Schedule = std::vector<std::vector<Action>>;

// The numbers that follow from a schedule's actions.
struct ScheduleShape {
  int stages = 0;
  int microbatches = 0;
  std::vector<int> rank_of_stage;

  std::vector<int> stages_of(int rank) const;  // in order
};

// A mistake in a schedule, at an action of a rank.
struct ScheduleMistake {
  std::size_t rank = 0, position = 0;  // of the action in its rank's list; its size: the list as a whole
  std::string message;
  std::string hint;
};

// Stages and microbatches are counted from 0 up to the largest that occurs.
ScheduleShape shape_of(const Schedule& schedule);

// The mistakes that keep the schedule from running, in order of ranks; empty if it runs. Like PyTorch's _validate_schedule:
// each stage is on one rank, each microbatch has one forward and then one full backward or, in this order, one backward for
// inputs and one for weights. PyTorch does not notice duplicates. The order between ranks is simulate()'s
// (schedule/simulate.h).
std::vector<ScheduleMistake> find_mistakes(const Schedule& schedule);

// Whether a backward has two parts, for inputs and for weights.
bool splits_backward(const Schedule& schedule);

// PyTorch's CSV: one line per rank, without idle slots (PipelineScheduleMulti._dump_csv).
std::string schedule_csv(const Schedule& schedule);

}  // namespace fxcut
