// When a step uses storages: the time in which each could be copied to the host, and the time by which it has to be back.
//
// The forward's nodes run one after another, then the backward's in the order of finish/execution_order.h; a node takes its
// estimated time. The decision determines which nodes run in the forward and which run again in the backward: views that only the
// backward takes run in the forward if they are saved, otherwise in the backward. Times are in picoseconds from the start of the
// forward or of the backward.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/analysis.h"
#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"
#include "host/movable_storages.h"

namespace fxcut {

// A storage that may be copied: one value in it is saved, which the forward computes and does not return.
struct StorageUse {
  StorageIndex storage = kNoStorage;
  NodeId value;
  std::int64_t bytes = 0;        // of the value, which is what the copies carry
  double last_in_forward = 0;    // the end of its last use
  double first_in_backward = 0;  // the start of its first use
  std::int64_t freed = 0;        // bytes of the storage, but for the scales of a form
  bool is_form = false;          // of fewer bits, of the value
};

class StorageUses {
 public:
  // `run_times`: picoseconds by node of the graph. All are kept by reference.
  StorageUses(const Analysis& analysis, const RecomputeProblem& problem, const std::vector<Int128>& run_times);

  // The uses of the storages that may be copied, under the last run of `evaluation`, which is of the same problem.
  std::vector<StorageUse> of(const Evaluation& evaluation);
  // For each item, the use of its value if that alone were saved in addition; kNoStorage if it may not be copied.
  std::vector<StorageUse> if_saved(const Evaluation& evaluation);

  // Picoseconds that the forward takes under that run.
  double forward_time() const { return forward_time_; }

  const MovableStorages& movable() const { return movable_; }

 private:
  struct At {
    std::size_t turn = 0;  // the node whose turn it is: what it needs runs before it
    double within = 0;     // picoseconds from the start of the turn
  };

  void find_direct_uses();
  void run_forward(const Evaluation& evaluation);
  void run_backward(const Evaluation& evaluation);
  void find_last_uses();
  StorageUse use_of(const Evaluation& evaluation, ItemIndex item) const;
  double first_use(const Evaluation& evaluation, NodeId value) const;

  const Analysis& a_;
  const RecomputeProblem& problem_;
  const std::vector<Int128>& run_times_;
  MovableStorages movable_;
  std::vector<ItemIndex> item_of_;         // by node
  std::vector<std::size_t> direct_use_;    // by node: the first backward-only node that takes it
  std::vector<double> own_begin_;          // by node and after the last: when it begins in the backward, without recomputation
  std::size_t first_gradient_ = 0;         // from this node on, each has a turn of its own

  // For the last choice.
  std::vector<char> runs_;                 // by node, whether it runs in the forward
  std::vector<double> end_;                // by node of the forward
  std::vector<double> last_use_;           // by node: in the forward, of the value, or of a view of it
  std::vector<At> at_;                     // by item that is recomputed
  std::vector<double> recomputed_before_;  // by turn: picoseconds recomputed before it
  double forward_time_ = 0;
};

}  // namespace fxcut
