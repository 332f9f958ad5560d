// Estimates the outcome of changing a plan without visiting the whole graph.
//
// Recomputation is known exactly (frontier/changed_evaluation.h), and so are the bytes on the device. Waits are computed from the
// plan's times with copies added or left out (copy_queue.h). For a single change, later nodes of the backward are shifted by the
// change in recomputation; for several, shifts are applied wherever they help. So a change may turn out worse than estimated, but
// seldom better.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "frontier/changed_evaluation.h"
#include "host/change_states.h"
#include "host/copy_plans.h"
#include "host/copy_queue.h"
#include "host/host_channel.h"
#include "host/movable_storages.h"

namespace fxcut {

class CopyEstimate {
 public:
  // All are kept by reference.
  CopyEstimate(const RecomputeProblem& problem, const MovableStorages& movable, const HostChannel& channel);

  // Later changes refer to this plan. `uses`: of its evaluation (StorageUses::if_saved).
  void change_from(const StorageStates& states, const OnlySaved& only, const std::vector<StorageUse>& uses, double forward_time);

  // Whether with these changes, each of another storage, the plan stays within `most_on_device` bytes, and within `most`
  // picoseconds of recomputing and waiting.
  bool may_be_within(std::span<const StateChange> changes, std::int64_t most_on_device, double most);
  // Later changes refer to the plan with these.
  void assume(std::span<const StateChange> changes);

  // Picoseconds of recomputing and waiting of the plan itself, and of what is assumed.
  double time() const { return time_; }

  // The work so far, as frontier/work_budget.h counts it.
  std::size_t work() const { return kStepsALook * (changed_.work() + looked_at_); }

 private:
  static constexpr std::size_t kStepsALook = 3;  // random access to an item, relative to a step of a pass over all

  struct Value {
    bool may_be_copied = false;
    CopyQueue::Part to_host, back;
    std::size_t place_to_host = 0, place_back = 0;
    std::int64_t bytes = 0, freed = 0;
  };

  void arrange();
  KeptChange kept_change(const StateChange& change) const;
  ItemIndex copied_in(StorageIndex s) const;
  void update(StorageIndex s);
  void copy(ItemIndex item, bool is_copied);
  std::vector<KeptChange> put(std::span<const StateChange> changes);
  double time_with(std::span<const StateChange> changes) const;
  double waiting(std::size_t place, double later) const;
  std::size_t place_of(StorageIndex s) const;

  const RecomputeProblem& problem_;
  const MovableStorages& movable_;
  const HostChannel& channel_;
  ChangedEvaluation changed_;
  std::vector<ItemIndex> first_value_;    // by storage: the first that may be copied
  double forward_time_ = 0, time_ = 0;
  Int128 run_cost_ = 0;                   // of the plan
  std::vector<Value> values_;             // by item
  StorageStates states_;
  std::vector<ItemIndex> copied_;         // by storage, the value that is copied or kNoItem
  std::vector<StorageIndex> touched_;
  CopyQueue to_host_, back_;
  std::int64_t copied_bytes_ = 0, freed_bytes_ = 0;
  std::size_t looked_at_ = 0;
};

}  // namespace fxcut
