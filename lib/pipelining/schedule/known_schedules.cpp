#include "schedule/known_schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "diagnostic/diagnostic.h"
#include "schedule/orders.h"

namespace fxcut {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

void require(bool is_met, const KnownSchedule& known, std::string_view what, const std::string& hint) {
  if (!is_met) throw Failure(ExitStatus::Usage, fmt::format("the schedule {} needs {}", known.name, what), hint);
}

}  // namespace

const std::vector<KnownSchedule>& known_schedules() {
  static const std::vector<KnownSchedule> all = {
      {"GPipe", 1, 1, gpipe},
      {"1F1B", 1, 1, one_forward_one_backward},
      {"LoopedBFS", 1, 0, looped_bfs},
      {"Interleaved1F1B", 1, 0, interleaved_1f1b},
      {"InterleavedZeroBubble", 1, 0, interleaved_zero_bubble},
      {"ZBVZeroBubble", 2, 2, zbv_zero_bubble},
      {"DualPipeV", 2, 2, dual_pipe_v},
  };
  return all;
}

const KnownSchedule* find_schedule(std::string_view name) {
  const auto& all = known_schedules();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return lower(one.name) == lower(name); });
  return found == all.end() ? nullptr : &*found;
}

Schedule make_schedule(const KnownSchedule& known, const ScheduleSize& size) {
  const int stages = size.ranks * size.stages_per_rank;
  const bool takes_stages = size.stages_per_rank >= known.least_stages_per_rank &&
                            (known.most_stages_per_rank == 0 || size.stages_per_rank <= known.most_stages_per_rank);
  require(takes_stages, known, known.least_stages_per_rank == 1 ? "one stage on each rank" : "two stages on each rank",
          fmt::format("got {} stages on {} ranks", stages, size.ranks));
  if (known.make == one_forward_one_backward || known.make == dual_pipe_v) {
    require(size.microbatches >= stages, known, "at least as many microbatches as stages",
            fmt::format("got {} microbatches and {} stages", size.microbatches, stages));
  }
  if (known.make == interleaved_1f1b || known.make == interleaved_zero_bubble) {
    require(size.microbatches % rounds_of(size) == 0, known, fmt::format("microbatches in {} equal rounds", rounds_of(size)),
            fmt::format("got {} microbatches; a round has about as many as there are ranks", size.microbatches));
  }
  return known.make(size);
}

}  // namespace fxcut
