// The storages that may be copied to the host, and facts about their copies that hold for every decision, as bounds need.
//
// A copy frees a storage if it copies the only saved value in it. That may be a base of the others or a view: the fewest bytes,
// the earliest last use and the latest first use are taken over all of them. Times are as in storage_uses.h, assuming that
// everything runs that may run.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/analysis.h"
#include "frontier/recompute_problem.h"

namespace fxcut {

inline constexpr double kNoTime = 1e300;

class MovableStorages {
 public:
  // `run_times`: picoseconds by node of the graph. Nothing is kept by reference.
  MovableStorages(const Analysis& analysis, const RecomputeProblem& problem, const std::vector<Int128>& run_times);

  // Whether it may be copied: a copy does not free memory that the caller holds anyway, or that has inputs.
  bool may_move(StorageIndex s) const { return storages_[s].may_move; }
  // The value to copy in place of views of it; kNoItem if only one value of the storage can be saved.
  ItemIndex base_of(StorageIndex s) const { return storages_[s].num_values > 1 ? storages_[s].first : kNoItem; }
  // The bytes of a copy of the item's value; of a form, without its scales.
  std::int64_t bytes_of(ItemIndex i) const { return bytes_[i]; }

  // No copy that frees the storage carries fewer bytes.
  std::int64_t fewest_bytes(StorageIndex s) const { return storages_[s].fewest_bytes; }
  // No copy of it begins earlier, in a forward that runs all that it may.
  double last_in_forward(StorageIndex s) const { return storages_[s].last_in_forward; }
  // No copy of it may be back later, except for what is recomputed before; kNoTime if the backward itself may not take it.
  double latest_first_use(StorageIndex s) const { return storages_[s].latest_first_use; }

  // Picoseconds: no forward takes longer; and what a backward may take in addition to its own and to what the problem counts as
  // recomputed.
  double most_forward_time() const { return most_forward_time_; }
  double most_uncounted_time() const { return most_uncounted_time_; }

  // For each item: whether the forward runs it in any case.
  bool is_surely_in_forward(ItemIndex i) const { return surely_in_forward_[i]; }

 private:
  struct Storage {
    bool may_move = false;
    ItemIndex first = kNoItem;
    std::size_t num_values = 0;  // that may be saved
    std::int64_t fewest_bytes = 0;
    double last_in_forward = kNoTime, latest_first_use = 0;
  };

  class Finding;

  std::vector<Storage> storages_;
  std::vector<std::int64_t> bytes_;      // by item
  std::vector<bool> surely_in_forward_;  // by item
  double most_forward_time_ = 0, most_uncounted_time_ = 0;
};

}  // namespace fxcut
