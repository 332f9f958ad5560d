// When a step uses storages: the time in which each could be copied to the host, and the time by which it has to be back.
//
// The forward's nodes run one after another, then the backward's, each recomputed value just before its first use; a node takes
// its estimated time. Times are in picoseconds from the begin of the forward or of the backward.
#pragma once

#include <vector>

#include "cost/analysis.h"
#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"

namespace fxcut {

inline constexpr double kNoTime = 1e300;

// A storage that may be copied: one value in it is saved, which the forward computes and does not return.
struct StorageUse {
  StorageIndex storage = kNoStorage;
  NodeId value;
  std::int64_t bytes = 0;
  double last_in_forward = 0;    // the end of its last use
  double first_in_backward = 0;  // the begin of its first use
};

class StorageUses {
 public:
  // `run_times`: picoseconds by node of the graph. All are kept by reference.
  StorageUses(const Analysis& analysis, const RecomputeProblem& problem, const std::vector<Wide>& run_times);

  // Of the storages that may be copied under the last run of the evaluation, which is of the same problem.
  std::vector<StorageUse> of(const Evaluation& evaluation);

  // Picoseconds, without recomputation.
  double forward_time() const { return forward_time_; }
  double backward_time() const { return backward_time_; }

  // Whatever is chosen: whether the storage may be copied; the end of its last use in the forward; the latest begin of its first
  // use in the backward, without recomputation (kNoTime if the backward may not use it).
  bool may_move(StorageIndex s) const { return may_move_[s]; }
  double last_in_forward(StorageIndex s) const { return last_in_forward_[s]; }
  double latest_first_use(StorageIndex s) const { return latest_first_use_[s]; }

 private:
  void find_last_uses();
  void find_first_uses();
  void find_returned();
  void propagate_needs(const Evaluation& evaluation);

  const Analysis& a_;
  const RecomputeProblem& problem_;
  const std::vector<Wide>& run_times_;
  std::vector<double> last_in_forward_;        // by storage
  std::vector<bool> may_move_;                 // by storage
  std::vector<double> latest_first_use_;       // by storage
  std::vector<std::size_t> position_in_backward_;  // by item: of the first backward node that takes it directly
  std::vector<double> backward_begins_;        // by position, without recomputation
  std::vector<std::size_t> needed_at_;         // by item, of the last choice
  double forward_time_ = 0, backward_time_ = 0;
};

}  // namespace fxcut
