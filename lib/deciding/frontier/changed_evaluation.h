// The outcome of a choice in which one storage is kept, or dropped, that was not; or several.
//
// evaluate.h passes over all items. A single storage changes the state of few: of its own values, and of what is recomputed
// for them alone. Each item counts its users that are recomputed and those that the forward runs, so that the change is
// carried on only where a count comes to 0, or from it; from users to inputs, so each item is looked at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "frontier/evaluate.h"

namespace fxcut {

struct KeptChange {
  StorageIndex storage = kNoStorage;
  bool is_kept = false;
  ItemIndex only = kNoItem;  // the only item that is saved in it, or kNoItem: any
};

class ChangedEvaluation {
 public:
  // Kept by reference. It begins with nothing kept.
  explicit ChangedEvaluation(const RecomputeProblem& problem);

  // Keeps these storages, and no others.
  void set(const KeptStorages& kept, const OnlySaved& only = {});
  // Keeps the storage that is dropped, or drops the one that is kept.
  void flip(StorageIndex s);
  const KeptStorages& kept() const { return kept_; }  // now
  Outcome outcome() const { return {impossible_ == 0, run_cost_ + keep_cost_, keep_cost_, bytes_}; }
  // The outcome with the storage kept that is dropped, or dropped that is kept.
  Outcome outcome_with(StorageIndex changed);
  // The same; of one that is not feasible only that, which is sooner known.
  Outcome feasible_with(StorageIndex changed);

  // Makes these changes, each of another storage, of a feasible choice; they become those that take them back. Returns whether
  // the choice is then feasible. If it is not, they have to be taken back next.
  bool exchange_if_feasible(std::span<KeptChange> changes);
  void exchange(std::span<KeptChange> changes);
  // From now on the storages in which other items are saved than before are added there, some of them several times.
  void note_changed_storages(std::vector<StorageIndex>& storages) { noted_ = &storages; }
  // How many items are saved in the storage, and, if it is one, which.
  std::uint32_t num_saved_in(StorageIndex s) const { return saved_in_[s]; }
  ItemIndex saved_in(StorageIndex s) const;
  // Storages with a recomputed item that could be saved (see evaluate.h), ascending; the pass is over 64 storages at a time.
  std::vector<StorageIndex> worth_keeping() const;

  // The items looked at so far.
  std::size_t work() const { return work_; }

 private:
  enum class State : char { Unneeded, Saved, Recomputed };

  void change(StorageIndex s);
  void put(KeptChange& change);
  void look_at_values_of(StorageIndex s);
  void look_at_next();
  void look_at_again(ItemIndex i);
  void update(ItemIndex i);
  State state_by_users(ItemIndex i) const;
  void count_saved(const Item& item, int change);
  void count_recomputed(const Item& item, int change);

  const RecomputeProblem& problem_;
  KeptStorages kept_;
  OnlySaved only_;
  std::vector<std::uint32_t> items_begin_;  // by storage, into items_of_
  std::vector<ItemIndex> items_of_;         // the savable ones
  std::vector<State> state_;                // by item
  std::vector<char> runs_forward_;          // by item
  std::vector<std::uint32_t> recomputed_users_, forward_users_;  // by item
  std::vector<std::uint32_t> saved_in_;     // by storage: how many items
  std::vector<std::uint32_t> recomputed_in_;  // by storage: how many items that could be saved
  std::vector<std::uint64_t> is_worth_;     // a bit for each storage: whether there are any
  std::vector<ItemIndex> open_;             // a heap, the last item first
  std::vector<char> is_open_;               // by item
  Int128 run_cost_ = 0, keep_cost_ = 0;
  std::int64_t bytes_ = 0;
  std::size_t impossible_ = 0;              // items that are recomputed and must not be
  std::size_t work_ = 0;
  std::vector<StorageIndex>* noted_ = nullptr;
};

}  // namespace fxcut
