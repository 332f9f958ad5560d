// When each rank runs its actions, and the time of the step.
//
// A rank runs its actions in order, each as soon as its inputs arrive: for a forward, the values of the stage before, and for a
// backward, the gradients of the stage after, for the same microbatch. The parts of an overlap start when all have their inputs,
// and run one after the other. Values and gradients for another rank take the time of their link, while both ranks go on; what a
// rank sends to another is sent one after the other. Without links communication takes no time. Times equal PyTorch's if a
// stage's times are its units: forward, backward for inputs and backward for weights 1 each, full backward 2
// (add_schedule_op_spacing of _schedule_visualizer.py).
#pragma once

#include <vector>

#include "schedule/schedule.h"
#include "schedule/stage_link.h"

namespace fxcut {

// The times of a stage for one microbatch, in ms.
struct StageTimes {
  double forward_ms = 0;
  double backward_ms = 0;        // at once
  double input_backward_ms = 0;  // of its two parts
  double weight_backward_ms = 0;
};

struct TimedAction {
  double begin_ms = 0, end_ms = 0;
};

struct SimulatedStep {
  std::vector<std::vector<TimedAction>> actions;  // by rank and position
  std::vector<double> busy_ms;                    // by rank: of its actions
  double step_ms = 0;                             // until the last action

  // The fraction of the step that a rank waits.
  double bubble(std::size_t rank) const { return step_ms > 0 ? 1 - busy_ms[rank] / step_ms : 0; }
};

// `times`: by stage. `schedule` has no mistakes (find_mistakes). Throws Failure (BadInput) if ranks wait for each other, with the
// first rank's next action and what it waits for.
SimulatedStep simulate(const Schedule& schedule, const std::vector<StageTimes>& times,
                       const std::vector<StageLink>& links = {});

}  // namespace fxcut
