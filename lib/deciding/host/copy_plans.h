// Plans: which storages are available in the backward, kept or copied, and what that costs.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "cost/analysis.h"
#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"
#include "host/change_states.h"
#include "host/choose_copies.h"
#include "host/host_channel.h"
#include "host/storage_uses.h"

namespace fxcut {

// A choice of available storages, of which some are copied.
struct CopyPlan {
  KeptStorages available;
  OnlySaved only;  // for storages whose base is copied: the base
  Copies copies;
  std::int64_t on_device = 0;  // bytes between forward and backward
  Int128 time = 0;             // picoseconds of recomputing and waiting
};

StorageStates states_of(const CopyPlan& plan);

class CopyPlans {
 public:
  // `run_times`: picoseconds by node of the graph. `has_marks`: values that the graph or its policies mark are copied in any
  // case, and do not count for the limit of the host's memory. All are kept by reference.
  CopyPlans(const Analysis& analysis, const RecomputeProblem& problem, const std::vector<Int128>& run_times, bool has_marks)
      : a_(analysis), problem_(problem), has_marks_(has_marks), channel_(channel_of(analysis.settings)), evaluation_(problem),
        uses_(analysis, problem, run_times) {}

  // Limits the bytes that stay on the device.
  void limit_to(std::int64_t bytes) { limit_bytes_ = bytes; }
  std::int64_t limit_bytes() const { return limit_bytes_; }

  // The storages that may be copied if these are available, whatever the limit; nullopt if that is not feasible, or if
  // recomputing alone takes `most` picoseconds or longer.
  struct Run {
    Outcome outcome;
    std::vector<StorageUse> uses;
    double forward_time = 0;
  };
  std::optional<Run> run(const StorageStates& states, std::optional<Int128> most);
  static constexpr std::int64_t kStepsAnItem = 5;  // of that

  // All return nullopt if that is not possible within the limit and the host's memory.
  // The plan with these states, if its recomputation alone takes less than `most`.
  std::optional<CopyPlan> of(const StorageStates& states, std::optional<Int128> most = std::nullopt);
  // The plan with these available, and as many saved values copied as the limit requires.
  std::optional<CopyPlan> with_saved_values(const KeptStorages& available);
  // The same, copying the bases of saved views.
  std::optional<CopyPlan> with_bases(const KeptStorages& available);

  // The states with these available and everything copied that may be, within the host's memory. nullopt if it is not feasible.
  std::optional<StorageStates> with_most_copies(const KeptStorages& available);
  // For each item, what a copy of its value would be under that plan (StorageUses::if_saved), and the time of the plan's forward.
  std::pair<std::vector<StorageUse>, double> uses_if_saved(const CopyPlan& plan);

  // The bytes that stay on the device, whatever the limit.
  std::optional<std::int64_t> bytes_on_device(const StorageStates& states);

  // Whether the graph or its policies have the value copied if it is saved.
  bool is_marked(NodeId value) const { return has_marks_ && a_.node(value).meta.should_offload; }
  // Takes those of marked values out of `uses`, and returns them.
  std::vector<StorageUse> take_marked(std::vector<StorageUse>& uses) const;

  const MovableStorages& movable() const { return uses_.movable(); }
  const HostChannel& channel() const { return channel_; }
  std::int64_t steps() const { return steps_; }  // of work, as frontier/work_budget.h counts it

 private:
  std::optional<Run> run(const KeptStorages& available, const OnlySaved& only, std::optional<Int128> most = std::nullopt);
  OnlySaved only_bases(const KeptStorages& storages) const;
  bool is_copied(const StorageUse& use, const StorageStates& states) const;
  // The copies that keep the rest within the limit, besides those of marked values.
  std::optional<Copies> choose(const Run& run);

  const Analysis& a_;
  const RecomputeProblem& problem_;
  bool has_marks_ = false;
  HostChannel channel_;
  std::int64_t limit_bytes_ = 0;
  Evaluation evaluation_;
  StorageUses uses_;
  std::int64_t steps_ = 0;
};

}  // namespace fxcut
