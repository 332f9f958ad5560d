// What follows from the storages that are kept.
#pragma once

#include <vector>

#include "frontier/recompute_problem.h"

namespace fxcut {

// By storage, whether it is kept; kFreeStorage counts as kept in any case.
using KeptStorages = std::vector<bool>;

struct Outcome {
  bool feasible = true;    // nothing is run again that must not be
  Wide run_cost = 0;       // of what is run again
  std::int64_t bytes = 0;  // of the kept storages that something is saved in
};

// One pass from the last item to the first. With `saved` and `recomputed` also says what becomes of each item.
class Evaluation {
 public:
  explicit Evaluation(const RecomputeProblem& problem);

  Outcome run(const KeptStorages& kept);

  // Of the last run, by item.
  bool is_saved(ItemIndex i) const { return fate_[i] == kSaved; }
  bool is_recomputed(ItemIndex i) const { return fate_[i] == kRecomputed; }
  // Of the last run, by storage: whether something is saved in it.
  const std::vector<bool>& used() const { return used_; }

 private:
  static constexpr char kUnneeded = 0, kNeeded = 1, kSaved = 2, kRecomputed = 3;

  const RecomputeProblem& problem_;
  std::vector<char> fate_;
  std::vector<char> in_forward_;
  std::vector<bool> used_;
};

}  // namespace fxcut
