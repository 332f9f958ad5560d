// Schedules with two stages on a rank, the first on the way down and the second on the way back up: ZBVZeroBubble, DualPipeV.
#include <algorithm>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "schedule/orders.h"

namespace fxcut {
namespace {

using Actions = std::vector<Action>;

// The actions of a rank; each takes the next microbatch of its stage, which is 0, the rank's first, or 1.
class RankOfTwo {
 public:
  RankOfTwo(int rank, const ScheduleSize& size) : stages_{rank, 2 * size.ranks - 1 - rank} {}

  void forward(int which) { actions_.push_back(next_forward(which)); }
  void backward(int which) { actions_.push_back(next_backward(which)); }
  void input_gradients(int which) {
    waiting_.push_back({ActionKind::BackwardWeight, stages_[which], backwards_[which]});
    actions_.push_back({ActionKind::BackwardInput, stages_[which], backwards_[which]++});
  }
  // The gradients of weights that have waited longest, if any, of all stages or of one.
  void weight_gradients() { take(waiting_.begin()); }
  void weight_gradients(int which) {
    take(std::find_if(waiting_.begin(), waiting_.end(), [&](const Action& one) { return one.stage == stages_[which]; }));
  }
  void split_backward(int which) {
    input_gradients(which);
    weight_gradients(which);
  }
  // The forward of one stage and the backward of the other at once.
  void overlap(int forward_of, int backward_of) {
    const Action first = next_forward(forward_of);
    actions_.push_back({ActionKind::Overlap, -1, {}, {first, next_backward(backward_of)}});
  }

  bool has_waiting() const { return !waiting_.empty(); }
  int forwards(int which) const { return forwards_[which]; }
  Actions take_actions() { return std::move(actions_); }

 private:
  Action next_forward(int which) { return {ActionKind::Forward, stages_[which], forwards_[which]++}; }
  Action next_backward(int which) { return {ActionKind::FullBackward, stages_[which], backwards_[which]++}; }
  void take(const std::deque<Action>::iterator& place) {
    if (place == waiting_.end()) return;
    actions_.push_back(*place);
    waiting_.erase(place);
  }

  int stages_[2];
  int forwards_[2] = {}, backwards_[2] = {};
  std::deque<Action> waiting_;
  Actions actions_;
};

void repeat(int times, const std::function<void()>& step) {
  for (int i = 0; i < times; ++i) step();
}

// The order for at least 2R - 1 microbatches, which fill the pipeline; actions of the first `microbatches` are kept.
Actions zbv_rank(int rank, const ScheduleSize& size) {
  const int microbatches = std::max(2 * size.ranks - 1, size.microbatches);
  RankOfTwo run(rank, size);
  repeat(2 * (size.ranks - rank) - 1, [&] { run.forward(0); });
  repeat(rank, [&] { run.forward(1), run.forward(0); });
  repeat(size.ranks - rank, [&] { run.forward(1), run.split_backward(1); });
  while (run.forwards(1) < run.forwards(0) || run.forwards(0) < microbatches) {
    if (run.forwards(0) < microbatches) run.forward(0);
    run.split_backward(0);
    run.forward(1);
    run.split_backward(1);
  }
  repeat(rank, [&] { run.input_gradients(0), run.input_gradients(1); });
  repeat(size.ranks - rank, [&] { run.input_gradients(0), run.weight_gradients(0); });
  repeat(rank, [&] { run.weight_gradients(1); });
  while (run.has_waiting()) run.weight_gradients(0);
  Actions actions = run.take_actions();
  std::erase_if(actions, [&](const Action& action) { return *action.microbatch >= size.microbatches; });
  return actions;
}

// The eight steps of DeepSeek's DualPipeV.
Actions dual_pipe_v_rank(int rank, const ScheduleSize& size) {
  const int behind = size.ranks - rank - 1;
  RankOfTwo run(rank, size);
  repeat(2 * behind, [&] { run.forward(0); });
  repeat(rank + 1, [&] { run.forward(0), run.forward(1); });
  repeat(behind, [&] { run.input_gradients(1), run.weight_gradients(), run.forward(1); });
  for (int i = 0; i < size.microbatches - 2 * size.ranks + rank + 1; ++i) {
    if (i == 0 && behind == 0) {
      run.forward(0), run.backward(1);
    } else {
      run.overlap(0, 1);
    }
    run.overlap(1, 0);
  }
  repeat(behind, [&] { run.backward(1), run.overlap(1, 0); });
  bool splits = false;
  const auto backward = [&](int which) { splits ? run.input_gradients(which) : run.backward(which); };
  for (int i = 0; i <= rank; ++i) {
    const bool is_middle = i == (rank + 1) / 2;
    splits = splits || (is_middle && rank % 2 == 1);
    backward(1);
    splits = splits || (is_middle && rank % 2 == 0);
    backward(0);
  }
  repeat(behind, [&] { run.weight_gradients(), backward(0); });
  repeat(rank + 1, [&] { run.weight_gradients(); });
  return run.take_actions();
}

}  // namespace

Schedule zbv_zero_bubble(const ScheduleSize& size) {
  return on_each_rank(size, [&](int rank) { return zbv_rank(rank, size); });
}
Schedule dual_pipe_v(const ScheduleSize& size) {
  return on_each_rank(size, [&](int rank) { return dual_pipe_v_rank(rank, size); });
}

}  // namespace fxcut
