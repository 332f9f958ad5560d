// The memory into which a rank receives from other ranks.
//
// A buffer exists from the end of the action that sends into it until the start of the action that takes it, which then counts it
// as the stage's inputs or gradients. Which of the rank's actions lie in between depends on the schedule, not on decisions: it is
// determined with equal stages, as PyTorch places sends and receives (_add_send_recv of schedules.py), so that a rank's memory
// does not depend on other ranks' decisions.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.h"
#include "schedule/stage_link.h"

namespace fxcut {

// For each action of `rank`, the bytes of buffers for later actions that exist when it ends. `schedule` has no mistakes
// (find_mistakes). Throws what simulate() does.
std::vector<std::int64_t> receive_buffers(const Schedule& schedule, std::size_t rank, const std::vector<StageLink>& links);

}  // namespace fxcut
