// A pipeline schedule: read, written and read again, which must be the same; then run. The number in flight must equal the bytes
// held when each microbatch holds one byte, and no action may start before the one before it ends.
#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "entry.h"
#include "schedule/liveness.h"
#include "schedule/rank_memory.h"
#include "schedule/read_schedule.h"
#include "schedule/simulate.h"

using namespace fxcut;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_in_flight(const Schedule& schedule, std::size_t rank, std::size_t stages) {
  constexpr StageBytes kOneByte{.parameters = 0, .gradients = 0, .held = 1, .forward = 1, .backward = 1, .input_backward = 1,
                                .held_for_weights = 1, .weight_backward = 1};
  const RankMemory memory = rank_memory(schedule, rank, std::vector(stages, kOneByte));
  require(memory.peak() == find_liveness(schedule, static_cast<int>(rank), LivenessOf::StageMicrobatch).slots);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Schedule schedule = read_schedule({reinterpret_cast<const char*>(data), size}, "schedule.csv");
    require(read_schedule(schedule_csv(schedule), "schedule.csv") == schedule);
    const auto stages = static_cast<std::size_t>(shape_of(schedule).stages);
    for (std::size_t rank = 0; rank < schedule.size(); ++rank) check_in_flight(schedule, rank, stages);
    const SimulatedStep step = simulate(schedule, std::vector(stages, StageTimes{1, 2, 1, 1}));
    for (const auto& actions : step.actions) {
      const auto overlaps = [](const TimedAction& a, const TimedAction& b) { return b.begin_ms < a.end_ms; };
      require(std::adjacent_find(actions.begin(), actions.end(), overlaps) == actions.end());
    }
  } catch (const Failure&) {
  }
  return 0;
}
