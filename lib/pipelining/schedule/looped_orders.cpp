// Schedules that run forwards and backwards in turn: GPipe, 1F1B and those with several stages on a rank.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "schedule/orders.h"

namespace fxcut {
namespace {

using Actions = std::vector<Action>;

// How the interleaved schedules run on one rank: forwards only, then forwards and backwards in turn, then backwards only.
struct Interleaving {
  int rank = 0;
  ScheduleSize size;
  int per_round = 1;    // microbatches
  int warmup = 0;       // forwards before the first backward
  bool splits = false;  // the backward
};

Interleaving interleaving(int rank, const ScheduleSize& size, bool splits) {
  const int per_round = size.microbatches / rounds_of(size);
  const int per_hop = splits ? 1 : 2;  // forwards for each rank behind this one
  const int warmup = (size.stages_per_rank - 1) * per_round + per_hop * (size.ranks - 1 - rank);
  return {rank, size, per_round, std::min(warmup, size.microbatches * size.stages_per_rank), splits};
}

// The actions of a rank; each takes the next microbatch of its stage.
class InterleavedRank {
 public:
  explicit InterleavedRank(const Interleaving& how) : how_(how) {}

  Actions run() {
    const int forwards = how_.size.stages_per_rank * how_.size.microbatches;
    for (int i = 0; i < forwards + how_.warmup; ++i) {
      if (i < forwards) add(forward_stage(i), ActionKind::Forward);
      if (i >= how_.warmup) add_backward(i - how_.warmup);
    }
    while (how_.splits && weights_ < backwards_) add_weights();
    return actions_;
  }

 private:
  int stage(int local) const { return local * how_.size.ranks + how_.rank; }
  int forward_stage(int turn) const { return stage(turn / how_.per_round % how_.size.stages_per_rank); }
  int backward_stage(int turn) const {
    return stage(how_.size.stages_per_rank - 1 - turn / how_.per_round % how_.size.stages_per_rank);
  }

  void add(int stage, ActionKind kind) { actions_.push_back({kind, stage, next_[{stage, kind}]++}); }

  // Gradients of weights follow with a delay of as many turns as there are ranks before this one.
  void add_backward(int turn) {
    add(backward_stage(turn), how_.splits ? ActionKind::BackwardInput : ActionKind::FullBackward);
    ++backwards_;
    if (how_.splits && turn >= how_.rank) add_weights();
  }

  void add_weights() { add(backward_stage(weights_++), ActionKind::BackwardWeight); }

  const Interleaving& how_;
  Actions actions_;
  std::map<std::pair<int, ActionKind>, int> next_;
  int backwards_ = 0, weights_ = 0;
};

Schedule interleaved(const ScheduleSize& size, bool splits) {
  return on_each_rank(size, [&](int rank) { return InterleavedRank(interleaving(rank, size, splits)).run(); });
}

}  // namespace

int rounds_of(const ScheduleSize& size) { return std::max(1, size.microbatches / size.ranks); }

Schedule gpipe(const ScheduleSize& size) {
  return on_each_rank(size, [&](int rank) {
    Actions actions;
    for (int m = 0; m < size.microbatches; ++m) actions.push_back({ActionKind::Forward, rank, m});
    for (int m = 0; m < size.microbatches; ++m) actions.push_back({ActionKind::FullBackward, rank, m});
    return actions;
  });
}

Schedule one_forward_one_backward(const ScheduleSize& size) {
  return on_each_rank(size, [&](int rank) {
    Actions actions;
    const int held = size.ranks - rank;  // microbatches, before the first backward
    for (int m = 0; m < size.microbatches + held - 1; ++m) {
      if (m < size.microbatches) actions.push_back({ActionKind::Forward, rank, m});
      if (m >= held - 1) actions.push_back({ActionKind::FullBackward, rank, m - held + 1});
    }
    return actions;
  });
}

Schedule looped_bfs(const ScheduleSize& size) {
  return on_each_rank(size, [&](int rank) {
    Actions actions;
    for (int local = 0; local < size.stages_per_rank; ++local) {
      for (int m = 0; m < size.microbatches; ++m) actions.push_back({ActionKind::Forward, local * size.ranks + rank, m});
    }
    for (int local = size.stages_per_rank; local-- > 0;) {
      for (int m = size.microbatches; m-- > 0;) actions.push_back({ActionKind::FullBackward, local * size.ranks + rank, m});
    }
    return actions;
  });
}

Schedule interleaved_1f1b(const ScheduleSize& size) { return interleaved(size, false); }
Schedule interleaved_zero_bubble(const ScheduleSize& size) { return interleaved(size, true); }

}  // namespace fxcut
