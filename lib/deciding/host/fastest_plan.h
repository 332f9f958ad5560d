// The fastest plan for few storages, by branch and bound.
//
// The storages are decided one after another, those that the forward uses last before others: recomputed, available, or available
// as the form of fewer bits in place of the value. However the open ones are decided, a plan recomputes at least what it would if
// they were all available at no cost, in the relaxed problem of host_bound.h; and of what the forward uses after some time, all
// beyond the limit is copied after it. When all are decided, the copies are chosen in the same way: a further copy makes no wait
// shorter.
//
// Only for problems in whose storages one value each may be saved: which of several is saved changes what the forward runs, and
// so the time that it leaves for copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"
#include "host/change_states.h"
#include "host/copy_plans.h"

namespace fxcut {

// Whether in each of the problem's storages at most one value may be saved.
bool have_one_value_each(const RecomputeProblem& problem, const MovableStorages& movable);

class FastestPlan {
 public:
  // Both are kept by reference; `plans` is of the problem, with its limit set. `most_steps`: of work, as
  // frontier/work_budget.h counts it.
  FastestPlan(const RecomputeProblem& problem, CopyPlans& plans, std::int64_t most_steps);

  // The fastest plan of those that take less than `below` picoseconds; nullopt if there is none, or the work ended before.
  std::optional<CopyPlan> find(std::optional<Int128> below);

  // Whether the last find() tried, or ruled out, every plan.
  bool is_complete() const { return is_complete_; }
  std::int64_t steps() const { return steps_; }

 private:
  // On one storage, or on that of a value and that of its form, of which one is available.
  struct Decision {
    std::vector<StorageIndex> options;  // the value's first, which counts as available until that is decided
    bool may_be_recomputed = true;
  };
  struct Available {
    double last_in_forward = 0;
    std::int64_t bytes = 0;
  };
  struct Leaf;

  void add_decisions();
  bool is_spent();
  void decide(std::size_t next);
  void decide_with(std::size_t next, StorageIndex available);
  std::vector<Available>::iterator place_of(StorageIndex s);
  void add_available(StorageIndex s);
  void drop_available(StorageIndex s);
  double least_wait() const;
  bool may_be_faster();
  void choose_copies();
  void copy_more(Leaf& leaf, std::size_t next);

  const RecomputeProblem& problem_;
  CopyPlans& plans_;
  std::int64_t most_steps_;
  RecomputeProblem relaxed_;          // where open storages cost nothing
  std::vector<Int128> keep_costs_;    // by storage, once it is decided
  std::vector<Decision> decisions_;
  Evaluation evaluation_;             // of relaxed_
  StorageStates states_;              // of what is decided
  KeptStorages kept_;                 // of that, and open storages
  std::vector<Available> available_;  // those that may be copied, last used first
  std::int64_t not_movable_ = 0;      // bytes of the others that are available
  std::optional<Int128> below_;
  std::optional<CopyPlan> fastest_;
  bool is_complete_ = true;
  std::int64_t steps_ = 0;
};

}  // namespace fxcut
