// The consequences of keeping storages: saved and recomputed items, cost and bytes.
#pragma once

#include <vector>

#include "frontier/recompute_problem.h"

namespace fxcut {

// By storage, whether it is kept; kFreeStorage counts as kept in any case.
using KeptStorages = std::vector<bool>;

// By storage, the only item that is saved in it if it is kept, and others are recomputed from that; kNoItem: any. Empty: any in
// all.
using OnlySaved = std::vector<ItemIndex>;

struct Outcome {
  bool feasible = true;    // nothing is recomputed that must not be
  Int128 run_cost = 0;     // of the recomputed items, and of keeping those storages
  Int128 keep_cost = 0;    // of that, of keeping
  std::int64_t bytes = 0;  // of the kept storages that something is saved in
};

// One pass from the last item to the first.
class Evaluation {
 public:
  explicit Evaluation(const RecomputeProblem& problem);

  Outcome run(const KeptStorages& kept, const OnlySaved& only = {});

  // By item, after the last run.
  bool is_saved(ItemIndex i) const { return state_[i] == kSaved; }
  bool is_recomputed(ItemIndex i) const { return state_[i] == kRecomputed; }
  // By storage, after the last run: whether something is saved in it.
  const std::vector<bool>& used() const { return used_; }

 private:
  static constexpr char kUnneeded = 0, kNeeded = 1, kSaved = 2, kRecomputed = 3;

  const RecomputeProblem& problem_;
  std::vector<char> state_at_first_, in_forward_at_first_;  // by item
  std::vector<char> state_, in_forward_;
  std::vector<bool> used_;
};

// Storages with a recomputed item that could be saved, by the evaluation's last run.
std::vector<StorageIndex> worth_keeping(const RecomputeProblem& problem, const Evaluation& evaluation);

}  // namespace fxcut
