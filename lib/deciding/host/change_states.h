// Improving a plan by changing what happens to single storages, or to several at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"

namespace fxcut {

// Copied: its saved value is copied. CopiedBase: the value that the others in it are views of is copied, and they are recomputed
// from it; it can be copied before the views exist.
enum class StorageState : std::uint8_t { Recomputed, Kept, Copied, CopiedBase };
using StorageStates = std::vector<StorageState>;  // by storage

// The storages that are kept or copied.
KeptStorages available_in(const StorageStates& states);

// These kept, the others recomputed.
StorageStates keeping(const KeptStorages& kept);

struct StateChange {
  StorageIndex storage = kNoStorage;
  StorageState state = StorageState::Recomputed;
};

struct StateSearch {
  std::function<StorageStates()> best;                    // of the best plan
  std::function<bool(const StorageStates& states)> offer;  // whether it is a better plan; it then becomes the best
  std::function<bool()> is_done;                          // no time is left, or nothing can be better
  // Whether the best plan may improve with these changes, each of another storage; cheaper to know than the outcome of an offer.
  // May be empty.
  std::function<bool(std::span<const StateChange>)> may_be_better = {};
  // From now on may_be_better() refers to the best plan with these changes and those of further calls; after forget_assumed(), to
  // the best plan again.
  std::function<void(std::span<const StateChange>)> assume = {};
  std::function<void()> forget_assumed = {};
  // The same if a recomputed storage is kept, which may take too much memory. May be empty.
  std::function<bool(StorageIndex)> may_keep = {};
  bool may_copy = true;
  bool copies_kept = true;  // whether copying a kept storage, with no other change, may improve the best plan
  std::vector<bool> has_base = {};  // by storage: whether a base may be copied in place of the saved value; may be empty
  std::size_t most_in_pairs = 400;  // storages up to which two changes are made at once
};

// Tries each storage in each other state, or recomputed with what it is made of copied or kept; and then, if there are few
// storages, each pair of these changes; repeats while that helps. If `search` predicts what may be better, twice as many changes
// are offered at once for as long as it is right.
void change_while_better(const RecomputeProblem& problem, const StateSearch& search);

// Tries `tries` random changes of several neighbouring storages at once, the same ones for the same problem. Changes that do not
// help are undone.
void change_at_random(const RecomputeProblem& problem, const StateSearch& search, std::size_t tries);

}  // namespace fxcut
