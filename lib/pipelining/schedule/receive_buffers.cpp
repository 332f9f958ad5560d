#include "schedule/receive_buffers.h"

#include <map>
#include <utility>

#include "schedule/simulate.h"

namespace fxcut {
namespace {

// The forward, the backward for inputs and that for weights take equally long.
constexpr StageTimes kEqual{1, 2, 1, 1};

using StageMicrobatch = std::pair<int, int>;

// When the forwards, or the gradients of inputs, of all stages end.
std::map<StageMicrobatch, double> ends_of(const Schedule& schedule, const SimulatedStep& step, bool forward) {
  std::map<StageMicrobatch, double> ends;
  for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
    for (std::size_t i = 0; i < schedule[rank].size(); ++i) {
      for_each_part(schedule[rank][i], [&](const Action& part) {
        const bool sends = forward ? part.kind == ActionKind::Forward : part.makes_input_gradients();
        if (sends) ends[{part.stage, *part.microbatch}] = step.actions[rank][i].end_ms;
      });
    }
  }
  return ends;
}

}  // namespace

std::vector<std::int64_t> receive_buffers(const Schedule& schedule, std::size_t rank, const std::vector<StageLink>& links) {
  if (links.empty()) return std::vector<std::int64_t>(schedule[rank].size());
  const ScheduleShape shape = shape_of(schedule);
  const SimulatedStep step = simulate(schedule, std::vector(static_cast<std::size_t>(shape.stages), kEqual));
  const auto forward_ends = ends_of(schedule, step, true), gradient_ends = ends_of(schedule, step, false);
  std::vector<std::int64_t> buffers(schedule[rank].size());
  const auto add = [&](double sent_ms, std::size_t taken_at, std::int64_t bytes) {
    for (std::size_t i = taken_at; i-- > 0 && step.actions[rank][i].end_ms >= sent_ms;) buffers[i] += bytes;
  };
  const auto is_elsewhere = [&](int stage) {
    return shape.rank_of_stage[static_cast<std::size_t>(stage)] != static_cast<int>(rank);
  };
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    for_each_part(schedule[rank][i], [&](const Action& part) {
      for (const StageLink& link : links) {
        if (part.kind == ActionKind::Forward && link.to == part.stage && is_elsewhere(link.from)) {
          add(forward_ends.at({link.from, *part.microbatch}), i, link.forward_bytes);
        }
        if (part.makes_input_gradients() && link.from == part.stage && is_elsewhere(link.to)) {
          add(gradient_ends.at({link.to, *part.microbatch}), i, link.backward_bytes);
        }
      }
    });
  }
  return buffers;
}

}  // namespace fxcut
