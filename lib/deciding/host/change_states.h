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

// Copied: the value that is saved in it. CopiedBase: the value that the others in it are views of, which are then recomputed from
// it; that may be copied while the views would not exist yet.
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
  std::function<bool(const StorageStates& states)> offer;  // whether it is a better plan, and from now on the best
  std::function<bool()> is_done;                          // no time is left, or nothing can be better
  // Whether the best plan may become better with these changes, each of another storage; what is sooner known than the outcome of
  // an offer. May be empty.
  std::function<bool(std::span<const StateChange>)> may_be_better = {};
  // From now on that is asked of the best plan with these changes and those of further calls, or of the best plan again.
  std::function<void(std::span<const StateChange>)> assume = {};
  std::function<void()> forget_assumed = {};
  // The same if a recomputed storage is kept, which may take too much memory. May be empty.
  std::function<bool(StorageIndex)> may_keep = {};
  bool may_copy = true;
  bool copies_kept = true;  // whether the best plan may become better if what is kept is copied and nothing else changes
  std::vector<bool> has_base = {};  // by storage: whether a base may be copied in place of the saved value; may be empty
  std::size_t most_in_pairs = 400;  // storages up to which two changes are made at once
};

// Each storage in each other state, or recomputed with what it is made of copied, or kept; and then, of few storages, each two of
// these changes: as long as that helps. Where `search` tells beforehand what may be better, and as long as it is right, twice as
// many changes are offered at once.
void change_while_better(const RecomputeProblem& problem, const StateSearch& search);

// So many changes of several neighbouring storages at once, chosen at random, the same ones for the same problem. Those
// that make no plan better are undone.
void change_at_random(const RecomputeProblem& problem, const StateSearch& search, std::size_t tries);

}  // namespace fxcut
