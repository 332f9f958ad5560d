#include "schedule/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace fxcut {
namespace {

using Work = std::tuple<int, ActionKind, int>;  // stage, kind, microbatch

class Validation {
 public:
  explicit Validation(const Schedule& schedule) : schedule_(schedule), shape_(shape_of(schedule)) {}

  std::vector<ScheduleMistake> run() {
    for (std::size_t rank = 0; rank < schedule_.size(); ++rank) {
      for (std::size_t i = 0; i < schedule_[rank].size(); ++i) {
        for_each_part(schedule_[rank][i], [&](const Action& action) { visit(action, rank, i); });
        done_.merge(running_);
      }
    }
    if (mistakes_.empty()) find_missing();
    return std::move(mistakes_);
  }

 private:
  bool is_done(int stage, ActionKind kind, int microbatch) const { return done_.contains({stage, kind, microbatch}); }
  bool has_begun(int stage, ActionKind kind, int microbatch) const {
    return is_done(stage, kind, microbatch) || running_.contains({stage, kind, microbatch});
  }

  void visit(const Action& action, std::size_t rank, std::size_t position) {
    const auto mistake = [&](std::string message, std::string hint = {}) {
      mistakes_.push_back({rank, position, fmt::format("{}: {}", to_string(action), message), std::move(hint)});
    };
    const auto [found, is_new] = rank_of_stage_.try_emplace(action.stage, rank);
    if (found->second != rank) {
      return mistake(fmt::format("stage {} is on rank {} already", action.stage, found->second), "a stage runs on one rank");
    }
    if (!action.computes()) return;
    const int microbatch = *action.microbatch;
    if (action.kind == ActionKind::Forward) {
      if (has_begun(action.stage, action.kind, microbatch)) mistake("this forward has run already");
    } else if (!is_done(action.stage, ActionKind::Forward, microbatch)) {
      mistake(fmt::format("a backward before its forward, {}F{}", action.stage, microbatch));
    } else if (action.kind == ActionKind::BackwardWeight && !is_done(action.stage, ActionKind::BackwardInput, microbatch)) {
      mistake(fmt::format("gradients of weights before those of inputs, {}I{}", action.stage, microbatch));
    } else if (has_begun(action.stage, action.kind, microbatch) || has_other_backward(action)) {
      mistake(fmt::format("the backward of stage {} has run for microbatch {} already", action.stage, microbatch));
    }
    running_.insert({action.stage, action.kind, microbatch});
  }

  bool has_other_backward(const Action& action) const {
    const int microbatch = *action.microbatch;
    if (action.kind == ActionKind::BackwardInput) return has_begun(action.stage, ActionKind::FullBackward, microbatch);
    return action.kind == ActionKind::FullBackward && has_begun(action.stage, ActionKind::BackwardInput, microbatch);
  }

  // The first action missing from each stage, and the first stage that no rank has.
  void find_missing() {
    for (int stage = 0; stage < shape_.stages; ++stage) {
      const auto rank = rank_of_stage_.find(stage);
      if (rank == rank_of_stage_.end()) {
        return mistakes_.push_back({0, schedule_[0].size(), fmt::format("no rank runs stage {}", stage),
                                    fmt::format("stages are counted from 0; the last is {}", shape_.stages - 1)});
      }
      for (int microbatch = 0; microbatch < shape_.microbatches; ++microbatch) {
        const std::string missing = missing_of(stage, microbatch);
        if (missing.empty()) continue;
        mistakes_.push_back({rank->second, schedule_[rank->second].size(), fmt::format("{} is missing", missing),
                             "every stage runs forward and backward of every microbatch"});
        break;
      }
    }
  }

  std::string missing_of(int stage, int microbatch) const {
    const auto name = [&](char kind) { return fmt::format("{}{}{}", stage, kind, microbatch); };
    if (!is_done(stage, ActionKind::Forward, microbatch)) return name('F');
    if (is_done(stage, ActionKind::FullBackward, microbatch) || is_done(stage, ActionKind::BackwardWeight, microbatch)) return {};
    return is_done(stage, ActionKind::BackwardInput, microbatch) ? name('W') : name('B');
  }

  const Schedule& schedule_;
  const ScheduleShape shape_;
  std::map<int, std::size_t> rank_of_stage_;
  std::set<Work> done_, running_;  // the latter with others of its overlap, none of which waits for another
  std::vector<ScheduleMistake> mistakes_;
};

}  // namespace

std::vector<int> ScheduleShape::stages_of(int rank) const {
  std::vector<int> found;
  for (int stage = 0; stage < stages; ++stage) {
    if (rank_of_stage[static_cast<std::size_t>(stage)] == rank) found.push_back(stage);
  }
  return found;
}

ScheduleShape shape_of(const Schedule& schedule) {
  ScheduleShape shape;
  const auto visit_all = [&](const auto& visit) {
    for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
      for (const Action& action : schedule[rank]) {
        for_each_part(action, [&](const Action& part) { visit(part, static_cast<int>(rank)); });
      }
    }
  };
  visit_all([&](const Action& action, int) {
    shape.stages = std::max(shape.stages, action.stage + 1);
    shape.microbatches = std::max(shape.microbatches, action.microbatch.value_or(-1) + 1);
  });
  shape.rank_of_stage.assign(static_cast<std::size_t>(shape.stages), 0);
  visit_all([&](const Action& action, int rank) { shape.rank_of_stage[static_cast<std::size_t>(action.stage)] = rank; });
  return shape;
}

std::vector<ScheduleMistake> find_mistakes(const Schedule& schedule) { return Validation(schedule).run(); }

bool splits_backward(const Schedule& schedule) {
  bool splits = false;
  for (const auto& actions : schedule) {
    for (const Action& action : actions) {
      for_each_part(action, [&](const Action& part) { splits = splits || part.kind == ActionKind::BackwardWeight; });
    }
  }
  return splits;
}

std::string schedule_csv(const Schedule& schedule) {
  std::string text;
  for (const auto& actions : schedule) {
    for (std::size_t i = 0; i < actions.size(); ++i) text += (i == 0 ? "" : ",") + to_string(actions[i]);
    text += '\n';
  }
  return text;
}

}  // namespace fxcut
