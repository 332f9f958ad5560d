#include "frontier/changed_evaluation.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace fxcut {
namespace {

constexpr std::size_t kBits = 64;  // in a word

}  // namespace

ChangedEvaluation::ChangedEvaluation(const RecomputeProblem& problem)
    : problem_(problem),
      kept_(problem.storages.size(), false),
      only_(problem.storages.size(), kNoItem),
      items_begin_(problem.storages.size() + 1, 0),
      state_(problem.items.size(), State::Unneeded),
      runs_forward_(problem.items.size(), 0),
      recomputed_users_(problem.items.size(), 0),
      forward_users_(problem.items.size(), 0),
      saved_in_(problem.storages.size(), 0),
      recomputed_in_(problem.storages.size(), 0),
      is_worth_(problem.storages.size() / kBits + 1, 0),
      is_open_(problem.items.size(), 0) {
  for (const Item& item : problem.items) {
    if (item.savable) ++items_begin_[item.storage + 1];
  }
  std::partial_sum(items_begin_.begin(), items_begin_.end(), items_begin_.begin());
  items_of_.resize(items_begin_.back());
  std::vector<std::uint32_t> next(items_begin_.begin(), items_begin_.end() - 1);
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    if (problem.items[i].savable) items_of_[next[problem.items[i].storage]++] = i;
  }
  for (ItemIndex i = static_cast<ItemIndex>(problem.items.size()); i-- > 0;) update(i);
  open_.clear();
  std::ranges::fill(is_open_, 0);
}

void ChangedEvaluation::set(const KeptStorages& kept, const OnlySaved& only) {
  for (StorageIndex s = 1; s < kept.size(); ++s) {
    KeptChange change{s, kept[s], only.empty() ? kNoItem : only[s]};
    if (kept[s] != kept_[s] || change.only != only_[s]) exchange({&change, 1});
  }
}

void ChangedEvaluation::put(KeptChange& change) {
  const StorageIndex s = change.storage;
  const KeptChange before{s, kept_[s], only_[s]};
  kept_[s] = change.is_kept;
  only_[s] = change.only;
  look_at_values_of(s);
  change = before;
}

void ChangedEvaluation::exchange(std::span<KeptChange> changes) {
  for (KeptChange& change : changes) put(change);
  while (!open_.empty()) look_at_next();
}

bool ChangedEvaluation::exchange_if_feasible(std::span<KeptChange> changes) {
  for (KeptChange& change : changes) put(change);
  while (!open_.empty() && impossible_ == 0) look_at_next();
  return impossible_ == 0;
}

ItemIndex ChangedEvaluation::saved_in(StorageIndex s) const {
  const auto begin = items_of_.begin() + items_begin_[s], end = items_of_.begin() + items_begin_[s + 1];
  const auto found = std::find_if(begin, end, [&](ItemIndex i) { return state_[i] == State::Saved; });
  return found != end ? *found : kNoItem;
}

void ChangedEvaluation::flip(StorageIndex s) {
  change(s);
  while (!open_.empty()) look_at_next();
}

Outcome ChangedEvaluation::outcome_with(StorageIndex changed) {
  flip(changed);
  const Outcome found = outcome();
  flip(changed);
  return found;
}

// Items that are recomputed although they must not be stay so, whatever else changes, so the rest need not be known. The open
// items are then checked together with those that change back with the storage.
Outcome ChangedEvaluation::feasible_with(StorageIndex changed) {
  change(changed);
  const std::size_t impossible = impossible_;
  while (!open_.empty() && (kept_[changed] || impossible_ <= impossible)) look_at_next();
  const Outcome found = outcome();
  flip(changed);
  return found;
}

void ChangedEvaluation::change(StorageIndex s) {
  kept_[s] = !kept_[s];
  look_at_values_of(s);
}

void ChangedEvaluation::look_at_values_of(StorageIndex s) {
  for (std::uint32_t k = items_begin_[s]; k < items_begin_[s + 1]; ++k) look_at_again(items_of_[k]);
}

void ChangedEvaluation::look_at_next() {
  std::ranges::pop_heap(open_);
  const ItemIndex i = open_.back();
  open_.pop_back();
  is_open_[i] = 0;
  update(i);
}

void ChangedEvaluation::look_at_again(ItemIndex i) {
  if (is_open_[i] != 0) return;
  is_open_[i] = 1;
  open_.push_back(i);
  std::ranges::push_heap(open_);
}

ChangedEvaluation::State ChangedEvaluation::state_by_users(ItemIndex i) const {
  const Item& item = problem_.items[i];
  if (!item.demanded && recomputed_users_[i] == 0) return State::Unneeded;
  const bool is_other = item.savable && only_[item.storage] != kNoItem && only_[item.storage] != i;
  const bool is_kept = item.savable && (item.storage == kFreeStorage || kept_[item.storage]) && !is_other;
  return is_kept ? State::Saved : State::Recomputed;
}

void ChangedEvaluation::count_saved(const Item& item, int change) {
  std::uint32_t& saved = saved_in_[item.storage];
  if (noted_ != nullptr && item.storage != kFreeStorage) noted_->push_back(item.storage);
  const bool was_used = saved != 0;
  saved += static_cast<std::uint32_t>(change);
  if (was_used == (saved != 0)) return;
  bytes_ += change * problem_.storages[item.storage].bytes;
  keep_cost_ += change * problem_.storages[item.storage].keep_cost;
}

void ChangedEvaluation::count_recomputed(const Item& item, int change) {
  std::uint32_t& recomputed = recomputed_in_[item.storage];
  recomputed += static_cast<std::uint32_t>(change);
  if (recomputed <= 1) {  // it came to 0, or from it
    const std::uint64_t bit = std::uint64_t{1} << (item.storage % kBits);
    if (recomputed == 0) is_worth_[item.storage / kBits] &= ~bit;
    else is_worth_[item.storage / kBits] |= bit;
  }
}

std::vector<StorageIndex> ChangedEvaluation::worth_keeping() const {
  std::vector<StorageIndex> storages;
  for (std::size_t word = 0; word < is_worth_.size(); ++word) {
    for (std::uint64_t left = is_worth_[word]; left != 0; left &= left - 1) {
      const auto s = static_cast<StorageIndex>(word * kBits + static_cast<std::size_t>(std::countr_zero(left)));
      if (s != kFreeStorage) storages.push_back(s);
    }
  }
  return storages;
}

void ChangedEvaluation::update(ItemIndex i) {
  const Item& item = problem_.items[i];
  const State before = state_[i], now = state_by_users(i);
  const bool ran = runs_forward_[i] != 0, runs = item.in_forward || forward_users_[i] > 0 || now == State::Saved;
  ++work_;
  if (before == now && ran == runs) return;
  if (before == State::Recomputed && ran) run_cost_ -= item.run_cost;
  if (now == State::Recomputed && runs) run_cost_ += item.run_cost;
  if (item.never != Ban::None) impossible_ = impossible_ + (now == State::Recomputed) - (before == State::Recomputed);
  if (before == State::Saved && now != before) count_saved(item, -1);
  if (now == State::Saved && now != before) count_saved(item, 1);
  if (item.savable && (before == State::Recomputed) != (now == State::Recomputed)) {
    count_recomputed(item, now == State::Recomputed ? 1 : -1);
  }
  state_[i] = now;
  runs_forward_[i] = runs ? 1 : 0;
  const auto change = [&](std::uint32_t& users, bool was, bool is) {
    if (was == is) return false;
    users += is ? 1u : static_cast<std::uint32_t>(-1);
    return users <= 1;  // it came to 0, or from it
  };
  for (const ItemIndex input : problem_.inputs_of(i)) {
    ++work_;
    const bool is_recompute_changed = change(recomputed_users_[input], before == State::Recomputed, now == State::Recomputed);
    if (change(forward_users_[input], ran, runs) || is_recompute_changed) look_at_again(input);
  }
}

}  // namespace fxcut
