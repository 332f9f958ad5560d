#include "host/copy_estimate.h"

#include <algorithm>

namespace fxcut {
namespace {

constexpr std::size_t kStepsAPlace = 4;  // to arrange the queues again

bool is_copy(StorageState state) { return state == StorageState::Copied || state == StorageState::CopiedBase; }

}  // namespace

CopyEstimate::CopyEstimate(const RecomputeProblem& problem, const MovableStorages& movable, const HostChannel& channel)
    : problem_(problem), movable_(movable), channel_(channel), changed_(problem), first_value_(problem.storages.size(), kNoItem) {
  changed_.note_changed_storages(touched_);
}

void CopyEstimate::change_from(const StorageStates& states, const OnlySaved& only, const std::vector<StorageUse>& uses,
                               double forward_time) {
  looked_at_ += kStepsAPlace * problem_.items.size();
  states_ = states;
  forward_time_ = forward_time;
  changed_.set(available_in(states), only);
  values_.assign(problem_.items.size(), {});
  first_value_.assign(problem_.storages.size(), kNoItem);
  for (ItemIndex i = 0; i < values_.size(); ++i) {
    const StorageUse& use = uses[i];
    if (use.storage == kNoStorage) continue;
    const double took = channel_.picoseconds_per_byte * static_cast<double>(use.bytes);
    values_[i] = {true, {took, took + use.last_in_forward}, {took, took - use.first_in_backward}, 0, 0, use.bytes, use.freed};
    if (first_value_[use.storage] == kNoItem) first_value_[use.storage] = i;
  }
  arrange();
  copied_.assign(problem_.storages.size(), kNoItem);
  copied_bytes_ = freed_bytes_ = 0;
  for (StorageIndex s = 1; s < states.size(); ++s) update(s);
  touched_.clear();
  run_cost_ = changed_.outcome().run_cost;
  time_ = time_with({});
}

// Copies to the host are queued in the reverse order of last uses: a copy then delays those before it in the queue.
void CopyEstimate::arrange() {
  std::vector<ItemIndex> order;
  for (ItemIndex i = 0; i < values_.size(); ++i) {
    if (values_[i].may_be_copied) order.push_back(i);
  }
  const auto due_to_host = [&](ItemIndex i) { return -(values_[i].to_host.late - values_[i].to_host.took); };
  const auto due_back = [&](ItemIndex i) { return values_[i].back.took - values_[i].back.late; };
  std::ranges::stable_sort(order, {}, due_to_host);
  for (std::size_t place = 0; place < order.size(); ++place) values_[order[place]].place_to_host = place;
  std::ranges::stable_sort(order, {}, due_back);
  for (std::size_t place = 0; place < order.size(); ++place) values_[order[place]].place_back = place;
  to_host_ = back_ = CopyQueue(std::vector<CopyQueue::Part>(order.size()));
}

// As in copy_plans.h, a value is copied only if it is the only saved one in its storage.
ItemIndex CopyEstimate::copied_in(StorageIndex s) const {
  if (!is_copy(states_[s]) || !movable_.may_move(s) || changed_.num_saved_in(s) != 1) return kNoItem;
  const ItemIndex saved = changed_.saved_in(s);
  return values_[saved].may_be_copied ? saved : kNoItem;
}

void CopyEstimate::copy(ItemIndex item, bool is_copied) {
  const Value& value = values_[item];
  to_host_.set(value.place_to_host, is_copied ? value.to_host : CopyQueue::Part{});
  back_.set(value.place_back, is_copied ? value.back : CopyQueue::Part{});
  const std::int64_t sign = is_copied ? 1 : -1;
  copied_bytes_ += sign * value.bytes;
  freed_bytes_ += sign * value.freed;
}

void CopyEstimate::update(StorageIndex s) {
  const ItemIndex now = copied_in(s), before = copied_[s];
  if (now == before) return;
  copied_[s] = now;
  ++looked_at_;
  if (before != kNoItem) copy(before, false);
  if (now != kNoItem) copy(now, true);
}

KeptChange CopyEstimate::kept_change(const StateChange& change) const {
  const bool is_base = change.state == StorageState::CopiedBase && movable_.may_move(change.storage);
  return {change.storage, change.state != StorageState::Recomputed, is_base ? movable_.base_of(change.storage) : kNoItem};
}

std::size_t CopyEstimate::place_of(StorageIndex s) const {
  return first_value_[s] == kNoItem ? back_.size() : values_[first_value_[s]].place_back;
}

// The waiting if the backward from `place` on is delayed by `later`.
double CopyEstimate::waiting(std::size_t place, double later) const {
  if (!channel_.overlaps) return 2 * channel_.picoseconds_per_byte * static_cast<double>(copied_bytes_);
  CopyQueue::Part after = back_.of(place, back_.size());
  after.late -= later;
  const double late = CopyQueue::joined(back_.of(0, place), after).late;
  return std::max(0.0, to_host_.of(0, to_host_.size()).late - forward_time_) + std::max(0.0, late);
}

double CopyEstimate::time_with(std::span<const StateChange> changes) const {
  const Int128 run_cost = changed_.outcome().run_cost;
  const auto more = static_cast<double>(run_cost - run_cost_);
  const std::size_t best_place = more > 0 ? 0 : back_.size();
  const std::size_t place = changes.size() == 1 ? place_of(changes.front().storage) : best_place;
  return static_cast<double>(run_cost) + waiting(place, more);
}

// Applies the changes; returns what they change about kept values.
std::vector<KeptChange> CopyEstimate::put(std::span<const StateChange> changes) {
  ++looked_at_;
  touched_.clear();
  std::vector<KeptChange> kept;
  for (const StateChange& change : changes) {
    kept.push_back(kept_change(change));
    states_[change.storage] = change.state;
    touched_.push_back(change.storage);
  }
  return kept;
}

bool CopyEstimate::may_be_within(std::span<const StateChange> changes, std::int64_t most_on_device, double most) {
  std::vector<StateChange> before;
  for (const StateChange& change : changes) before.push_back({change.storage, states_[change.storage]});
  std::vector<KeptChange> kept = put(changes);
  bool may = changed_.exchange_if_feasible(kept);
  if (may) {
    const std::size_t touched = touched_.size();
    for (std::size_t i = 0; i < touched; ++i) update(touched_[i]);
    may = changed_.outcome().bytes - freed_bytes_ <= most_on_device && copied_bytes_ <= channel_.most_bytes &&
          time_with(changes) <= most;
  }
  changed_.exchange(kept);
  for (const StateChange& change : before) states_[change.storage] = change.state;
  for (const StorageIndex s : touched_) update(s);
  return may;
}

void CopyEstimate::assume(std::span<const StateChange> changes) {
  std::vector<KeptChange> kept = put(changes);
  changed_.exchange(kept);
  for (const StorageIndex s : touched_) update(s);
  run_cost_ = changed_.outcome().run_cost;
  time_ = time_with({});
}

}  // namespace fxcut
