#include "schedule/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

double time_of(const Action& action, const std::vector<StageTimes>& times) {
  if (!action.computes()) return 0;
  const StageTimes& stage = times[static_cast<std::size_t>(action.stage)];
  switch (action.kind) {
    case ActionKind::Forward: return stage.forward_ms;
    case ActionKind::FullBackward: return stage.backward_ms;
    case ActionKind::BackwardInput: return stage.input_backward_ms;
    default: return stage.weight_backward_ms;
  }
}

class Run {
 public:
  Run(const Schedule& schedule, const std::vector<StageTimes>& times, const std::vector<StageLink>& links)
      : schedule_(schedule), times_(times), links_(links), shape_(shape_of(schedule)), next_(schedule.size()),
        free_(schedule.size()) {
    const auto works = static_cast<std::size_t>(shape_.stages) * static_cast<std::size_t>(shape_.microbatches);
    forward_end_.resize(works);
    gradient_end_.resize(works);
    forward_arrival_.resize(works);
    gradient_arrival_.resize(works);
    step_.busy_ms.resize(schedule.size());
    step_.actions.resize(schedule.size());
  }

  SimulatedStep run() {
    bool is_done = false;
    while (!is_done) {
      bool has_progress = false;
      is_done = true;
      for (std::size_t rank = 0; rank < schedule_.size(); ++rank) {
        while (next_[rank] < schedule_[rank].size() && run_next(rank)) has_progress = true;
        is_done = is_done && next_[rank] == schedule_[rank].size();
      }
      if (!is_done && !has_progress) throw deadlock();
    }
    return std::move(step_);
  }

 private:
  std::size_t index(int stage, int microbatch) const {
    return static_cast<std::size_t>(stage) * static_cast<std::size_t>(shape_.microbatches) + static_cast<std::size_t>(microbatch);
  }

  // When the action's inputs from other stages arrive; 0 if it has none; nullopt if they have not been computed yet.
  std::optional<double> ready_ms(const Action& action) const {
    const auto ready = [&](const std::vector<std::optional<double>>& ends, int stage, const std::vector<double>& arrivals) {
      const std::optional<double>& end = ends[index(stage, *action.microbatch)];
      return end ? std::optional(std::max(*end, arrivals[index(action.stage, *action.microbatch)])) : end;
    };
    if (action.kind == ActionKind::Forward && action.stage > 0) return ready(forward_end_, action.stage - 1, forward_arrival_);
    if (action.makes_input_gradients() && action.stage + 1 < shape_.stages) {
      return ready(gradient_end_, action.stage + 1, gradient_arrival_);
    }
    return 0;
  }

  // Sends the results of `part`, from its end on.
  void send(const Action& part, double end_ms) {
    const auto send_to = [&](int stage, double takes_ms, std::vector<double>& arrivals) {
      const int from = shape_.rank_of_stage[static_cast<std::size_t>(part.stage)];
      const int to = shape_.rank_of_stage[static_cast<std::size_t>(stage)];
      if (from == to) return;
      double& channel_ms = channel_free_[{from, to}];
      channel_ms = std::max(channel_ms, end_ms) + takes_ms;
      double& arrival_ms = arrivals[index(stage, *part.microbatch)];
      arrival_ms = std::max(arrival_ms, channel_ms);
    };
    for (const StageLink& link : links_) {
      if (part.kind == ActionKind::Forward && link.from == part.stage) send_to(link.to, link.forward_ms, forward_arrival_);
      if (part.makes_input_gradients() && link.to == part.stage) send_to(link.from, link.backward_ms, gradient_arrival_);
    }
  }

  // Runs the next action of the rank; false if it has to wait.
  bool run_next(std::size_t rank) {
    const Action& action = schedule_[rank][next_[rank]];
    double begin_ms = free_[rank];
    bool is_ready = true;
    for_each_part(action, [&](const Action& part) {
      const auto ready = ready_ms(part);
      is_ready = is_ready && ready;
      begin_ms = std::max(begin_ms, ready.value_or(0));
    });
    if (!is_ready) return false;
    double end_ms = begin_ms;
    for_each_part(action, [&](const Action& part) {
      end_ms += time_of(part, times_);
      if (part.kind == ActionKind::Forward) forward_end_[index(part.stage, *part.microbatch)] = end_ms;
      if (part.makes_input_gradients()) gradient_end_[index(part.stage, *part.microbatch)] = end_ms;
      send(part, end_ms);
    });
    step_.actions[rank].push_back({begin_ms, end_ms});
    step_.busy_ms[rank] += end_ms - begin_ms;
    step_.step_ms = std::max(step_.step_ms, end_ms);
    free_[rank] = end_ms;
    ++next_[rank];
    return true;
  }

  Failure deadlock() const {
    std::size_t rank = 0;
    while (next_[rank] == schedule_[rank].size()) ++rank;
    const Action& action = schedule_[rank][next_[rank]];
    std::string missing;
    for_each_part(action, [&](const Action& part) {
      if (!missing.empty() || ready_ms(part)) return;
      const bool is_forward = part.kind == ActionKind::Forward;
      missing = is_forward ? fmt::format("{}F{}", part.stage - 1, *part.microbatch)
                           : fmt::format("{0}B{1} or {0}I{1}", part.stage + 1, *part.microbatch);
    });
    return Failure(ExitStatus::BadInput,
                   fmt::format("ranks wait for each other: rank {} at its action {}, {}, waits for {}, which never runs", rank,
                               next_[rank] + 1, to_string(action), missing),
                   "an action can run only after those before it on its rank");
  }

  const Schedule& schedule_;
  const std::vector<StageTimes>& times_;
  const std::vector<StageLink>& links_;
  const ScheduleShape shape_;
  std::vector<std::size_t> next_;  // by rank
  std::vector<double> free_;
  std::vector<std::optional<double>> forward_end_, gradient_end_;
  std::vector<double> forward_arrival_, gradient_arrival_;    // from other ranks
  std::map<std::pair<int, int>, double> channel_free_;        // from a rank to another
  SimulatedStep step_;
};

}  // namespace

SimulatedStep simulate(const Schedule& schedule, const std::vector<StageTimes>& times, const std::vector<StageLink>& links) {
  return Run(schedule, times, links).run();
}

}  // namespace fxcut
