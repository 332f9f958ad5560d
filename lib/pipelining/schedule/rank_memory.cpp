#include "schedule/rank_memory.h"

#include <set>

namespace fxcut {
namespace {

class RankRun {
 public:
  explicit RankRun(const std::vector<StageBytes>& stages) : stages_(stages) {}

  // The bytes that the action takes and holds, without those of other microbatches.
  std::int64_t running(const Action& action) const {
    const StageBytes& stage = of(action);
    switch (action.kind) {
      case ActionKind::Forward: return stage.forward;
      case ActionKind::FullBackward: return stage.backward;
      case ActionKind::BackwardInput: return stage.input_backward;
      case ActionKind::BackwardWeight: return stage.weight_backward;
      default: return 0;
    }
  }

  // The bytes that the action's microbatch holds before it.
  std::int64_t held_before(const Action& action) const {
    switch (action.kind) {
      case ActionKind::FullBackward:
      case ActionKind::BackwardInput: return of(action).held;
      case ActionKind::BackwardWeight: return of(action).held_for_weights;
      default: return 0;
    }
  }

  std::int64_t held_after(const Action& action) const {
    if (action.kind == ActionKind::Forward) return of(action).held;
    return action.kind == ActionKind::BackwardInput ? of(action).held_for_weights : 0;
  }

  void run(const Action& action) {
    if (!action.computes()) return;
    held_ += held_after(action) - held_before(action);
    if (action.releases() && has_gradients_.insert(action.stage).second) gradients_ += of(action).gradients;
  }

  std::int64_t held() const { return held_; }
  std::int64_t gradients() const { return gradients_; }

 private:
  const StageBytes& of(const Action& action) const { return stages_[static_cast<std::size_t>(action.stage)]; }

  const std::vector<StageBytes>& stages_;
  std::int64_t held_ = 0, gradients_ = 0;
  std::set<int> has_gradients_;
};

}  // namespace

RankMemory rank_memory(const Schedule& schedule, std::size_t rank, const std::vector<StageBytes>& stages,
                       const std::vector<std::int64_t>& buffers) {
  RankMemory memory;
  for (const int stage : shape_of(schedule).stages_of(static_cast<int>(rank))) {
    memory.parameters += stages[static_cast<std::size_t>(stage)].parameters;
    memory.optimizer += stages[static_cast<std::size_t>(stage)].optimizer;
  }
  RankRun run(stages);
  for (const Action& action : schedule[rank]) {
    std::int64_t others = run.held(), running = 0;
    for_each_part(action, [&](const Action& part) {
      others -= run.held_before(part);
      running += run.running(part);
    });
    const std::int64_t received = buffers.empty() ? 0 : buffers[memory.bytes.size()];
    const std::int64_t always = memory.parameters + memory.optimizer;
    memory.bytes.push_back(always + run.gradients() + others + received + running);
    if (memory.bytes.back() > memory.peak() || memory.bytes.size() == 1) {
      memory.peak_at = memory.bytes.size() - 1;
      memory.held_at_peak = others;
      memory.buffers_at_peak = received;
    }
    for_each_part(action, [&](const Action& part) { run.run(part); });
    memory.after.push_back(always + run.gradients() + run.held());
  }
  return memory;
}

}  // namespace fxcut
