// The memory into which a rank receives from other ranks.
//
// A buffer is there from the end of the action that sends into it until the action begins that takes it, which then has it as the
// stage's inputs or gradients. Which actions of the rank are between these is the schedule's, and not the decisions': it is found
// with equal stages, as PyTorch places sends and receives (_add_send_recv of schedules.py), so that a rank's memory does not
// depend on what other ranks decide.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.h"
#include "schedule/stage_link.h"

namespace fxcut {

// For each action of `rank`, the bytes of buffers for later actions that are there when it ends. `schedule` has no mistakes
// (find_mistakes). Throws what simulate() does.
std::vector<std::int64_t> receive_buffers(const Schedule& schedule, std::size_t rank, const std::vector<StageLink>& links);

}  // namespace fxcut
