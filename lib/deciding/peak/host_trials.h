// Simulated plans with copies to the host: the fastest within a limit of the peak, and the one with the lowest peak.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "frontier/changed_evaluation.h"
#include "host/change_states.h"
#include "host/copy_estimate.h"
#include "peak/copied_memory.h"
#include "peak/room.h"
#include "peak/step_simulation.h"

namespace fxcut {

struct HostPlan {
  KeptStorages available;  // kept or copied
  std::vector<StorageUse> copied;
  std::int64_t on_device = 0, on_host = 0;  // bytes between forward and backward
  Int128 time = 0;                          // picoseconds of recomputing and waiting
  Int128 waiting = 0;                       // of these
  Int128 peak_bytes = 0;
};

class HostTrials {
 public:
  // All but the limit are kept by reference.
  HostTrials(const RecomputeProblem& problem, StepSimulation& simulation, StorageUses& uses, const CopyChannel& channel,
             Int128 limit_bytes)
      : problem_(problem), simulation_(simulation), uses_(uses), channel_(channel), evaluation_(problem), changed_(problem),
        estimate_(problem, uses.movable(), channel.channel), limit_bytes_(limit_bytes) {}

  // Every function that offers plans returns whether one is better than all before.
  bool offer(const StorageStates& states);

  // Without copies, and then with more and more of them until the peak is within the limit: of the storages in use at the
  // peak that a copy would take away, those first that have the longest time to hide in, or (`earliest`) those that the
  // forward uses last first.
  bool offer_with_copies(const KeptStorages& available, bool earliest);

  // Nothing if none is within the limit.
  const std::optional<HostPlan>& best() const { return best_; }
  // Nothing if none is feasible.
  const std::optional<HostPlan>& lowest() const { return lowest_; }
  StorageStates states_of_best() const;
  bool is_available_in_best(StorageIndex s) const { return best_->available[s]; }
  // Whether the best plan may take less time with these changes, each of another storage, whatever its peak.
  bool may_be_better(std::span<const StateChange> changes);
  // From now on that is asked of the best plan with these changes, or of the best plan again.
  void assume(std::span<const StateChange> changes) { estimate_.assume(changes); }
  void forget_assumed() { is_estimate_of_best_ = false; }
  // Whether the best plan may be within the limit if that storage is kept which is recomputed.
  bool may_keep(StorageIndex s);

  std::size_t tried() const { return tried_; }
  std::int64_t steps() const { return steps_; }  // of work, as frontier/work_budget.h counts it

 private:
  // The outcome of the choice, if it is feasible and may be better.
  std::optional<Outcome> evaluate(const KeptStorages& available);
  // Simulates the last evaluation with these copies. Returns the plan, and whether it is better.
  struct Simulated {
    StepSimulation::Result memory;
    bool is_better = false;
  };
  Simulated simulate(const Outcome& outcome, const std::vector<StorageUse>& copied);
  void change_from_best();
  void estimate_from_best();
  void find_room_of_best();
  std::vector<StorageUse> in_use_at_peak(const StepSimulation::Result& result, const std::vector<StorageUse>& uses) const;

  const RecomputeProblem& problem_;
  StepSimulation& simulation_;
  StorageUses& uses_;
  const CopyChannel& channel_;
  Evaluation evaluation_;
  ChangedEvaluation changed_;
  bool is_changed_from_best_ = false;  // changed_ has the best plan's storages
  CopyEstimate estimate_;
  bool is_estimate_of_best_ = false;
  std::optional<Room> room_of_best_;   // nothing if it was not asked for
  Int128 limit_bytes_;
  std::optional<HostPlan> best_, lowest_;
  std::size_t tried_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace fxcut
