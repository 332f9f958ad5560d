#include "host/change_states.h"

#include <algorithm>
#include <optional>
#include <random>

#include "frontier/fixings.h"

namespace fxcut {
namespace {

// How many storages change at once, and how far apart their changes may be.
constexpr std::size_t kMinAtOnce = 2, kMoreAtOnce = 5, kNeighbours = 40;
// Changing what a storage is made of visits all values there, and a tuple may have thousands, each with its users. So the visits
// to the values of each storage are limited, per item of the problem.
constexpr std::size_t kLooksAnItem = 8;

struct Change {
  StorageIndex storage = 0;
  StorageState state = StorageState::Recomputed;
  StorageState inputs = StorageState::Recomputed;  // of what it is made of; Recomputed: unchanged
};

class Changes {
 public:
  Changes(const RecomputeProblem& problem, const StateSearch& search)
      : search_(search), made_of_(problem.storages.size()), values_in_(problem.storages.size(), 0),
        looks_left_(problem.storages.size(), kLooksAnItem * problem.items.size()), may_drop_(1, true) {
    using enum StorageState;
    const std::optional<FixedState> state = propagate(problem, all_open(problem), kNoLimit);
    is_touched_.resize(problem.storages.size(), false);
    for (ItemIndex i = 0; i < problem.items.size(); ++i) {
      if (!problem.items[i].has_storage()) continue;
      ++values_in_[problem.items[i].storage];
      for (const ItemIndex input : problem.inputs_of(i)) add_input(problem, problem.items[i].storage, input);
    }
    for (StorageIndex s = 1; s < problem.storages.size(); ++s) {
      may_drop_.push_back(!state || state->fixings[s] != Fixing::Kept);
      all_.push_back({s, Recomputed});
      add(s, Kept);
      if (search.may_copy) add(s, Copied);
      if (search.may_copy && s < search.has_base.size() && search.has_base[s]) add(s, CopiedBase);
    }
    makes_pairs_ = problem.storages.size() <= search.most_in_pairs;
  }

  bool make_each() {
    begin();
    any_ = false;
    at_once_ = 1;
    for (std::size_t i = 0; i <= all_.size();) {
      const bool is_end = i == all_.size() || search_.is_done();
      if (is_end && assumed_ == 0) break;
      const bool is_made = !is_end && may_be_better(all_[i]) && make(all_[i]) && is_promising();
      if (!is_made) take_back();
      const std::size_t next = is_end ? i : i + 1;
      i = is_made || is_end ? offer_or_assume(i, next, is_end) : next;
    }
    return any_;
  }

  bool make_pairs() {
    bool any = false;
    begin();
    for (std::size_t a = 0; makes_pairs_ && a < all_.size(); ++a) {
      for (std::size_t b = a + 1; b < all_.size() && !search_.is_done(); ++b) {
        if (all_[a].storage != all_[b].storage && make(all_[a]) && make(all_[b]) && is_promising() && offer()) any = true;
        else take_back();
      }
    }
    return any;
  }

  void make_random(std::size_t tries) {
    std::mt19937 random;
    begin();
    for (std::size_t i = 0; i < tries && !all_.empty() && !search_.is_done(); ++i) {
      const std::size_t first = random() % all_.size();
      for (std::size_t left = kMinAtOnce + random() % kMoreAtOnce; left > 0; --left) {
        make(all_[std::min(first + random() % kNeighbours, all_.size() - 1)]);
      }
      if (search_.offer(states_)) begin();
      else take_back();
    }
  }

 private:
  void add(StorageIndex s, StorageState available) {
    all_.push_back({s, available});
    if (!made_of_[s].empty() && take_looks(made_of_[s])) all_.push_back({s, StorageState::Recomputed, available});
  }

  // Whether visits are left for the values of all these.
  bool take_looks(const std::vector<StorageIndex>& storages) {
    if (std::ranges::any_of(storages, [&](StorageIndex s) { return looks_left_[s] < values_in_[s]; })) return false;
    for (const StorageIndex s : storages) looks_left_[s] -= values_in_[s];
    return true;
  }

  void add_input(const RecomputeProblem& problem, StorageIndex storage, ItemIndex input) {
    const StorageIndex of_input = problem.items[input].storage;
    std::vector<StorageIndex>& made_of = made_of_[storage];
    if (!problem.items[input].has_storage() || of_input == storage) return;
    if (std::ranges::find(made_of, of_input) == made_of.end()) made_of.push_back(of_input);
  }

  // Judged by the change alone, without evaluating it.
  bool may_be_better(const Change& change) const {
    using enum StorageState;
    const bool was_available = states_[change.storage] != Recomputed, is_available = change.state != Recomputed;
    const bool is_alone = change.inputs == Recomputed;
    if (change.state == Recomputed && !may_drop_[change.storage]) return false;
    if (!search_.copies_kept && is_alone && change.state == Copied && states_[change.storage] == Kept) return false;
    if (!is_alone && are_available(made_of_[change.storage])) return false;  // the same as the change alone, tried before
    if (!is_alone || was_available == is_available) return true;
    return change.state != Kept || !search_.may_keep || search_.may_keep(change.storage);
  }

  bool are_available(const std::vector<StorageIndex>& storages) const {
    return std::ranges::none_of(storages, [&](StorageIndex s) { return states_[s] == StorageState::Recomputed; });
  }

  void begin() {
    states_ = search_.best();
    assumed_ = 0;
    for (const StateChange& change : before_) is_touched_[change.storage] = false;
    before_.clear();
  }

  void take_back() {
    for (const StateChange& change : before_) {
      states_[change.storage] = change.state;
      is_touched_[change.storage] = false;
    }
    before_.clear();
  }

  void put(StorageIndex s, StorageState state) {
    if (!is_touched_[s]) before_.push_back({s, states_[s]});
    is_touched_[s] = true;
    states_[s] = state;
  }

  // Returns whether anything changes.
  bool make(const Change& change) {
    bool is_change = states_[change.storage] != change.state;
    put(change.storage, change.state);
    if (change.inputs == StorageState::Recomputed) return is_change;
    for (const StorageIndex input : made_of_[change.storage]) {
      if (states_[input] != StorageState::Recomputed) continue;
      put(input, change.inputs);
      is_change = true;
    }
    return is_change;
  }

  // The differences from the best plan with the assumed changes.
  std::vector<StateChange> changes() const {
    std::vector<StateChange> changes;
    for (const StateChange& before : before_) {
      if (states_[before.storage] != before.state) changes.push_back({before.storage, states_[before.storage]});
    }
    return changes;
  }

  // Two changes may undo each other.
  bool is_promising() const {
    const std::vector<StateChange> changed = changes();
    return !changed.empty() && (!search_.may_be_better || search_.may_be_better(changed));
  }

  bool offer() {
    if (!search_.offer(states_)) return false;
    begin();
    return true;
  }

  // Returns the change to continue with: changes that do not help together are tried one by one.
  std::size_t offer_or_assume(std::size_t change, std::size_t next, bool is_end) {
    if (!is_end && search_.assume && assumed_ + 1 < at_once_) {
      if (assumed_++ == 0) first_assumed_ = change;
      search_.assume(changes());
      for (const StateChange& before : before_) is_touched_[before.storage] = false;
      before_.clear();
      return next;
    }
    const bool are_several = assumed_ > 0;
    if (offer()) {
      any_ = true;
      at_once_ *= 2;
      return next;
    }
    if (!are_several) {
      take_back();
      return next;
    }
    search_.forget_assumed();
    begin();
    at_once_ = 1;
    return first_assumed_;
  }

  const StateSearch& search_;
  std::vector<std::vector<StorageIndex>> made_of_;  // by storage: the storages that its values are computed from
  std::vector<std::size_t> values_in_, looks_left_;  // by storage
  std::vector<Change> all_;
  std::vector<bool> may_drop_;  // by storage: not if it has to be kept in any case
  bool makes_pairs_ = false;
  StorageStates states_;             // of the best plan with the changes being tried
  std::vector<StateChange> before_;  // the states before, each storage once
  std::vector<bool> is_touched_;     // by storage, whether it is in `before_`
  std::size_t at_once_ = 1, assumed_ = 0, first_assumed_ = 0;  // changes
  bool any_ = false;
};

}  // namespace

KeptStorages available_in(const StorageStates& states) {
  KeptStorages available(states.size(), false);
  for (StorageIndex s = 0; s < states.size(); ++s) available[s] = states[s] != StorageState::Recomputed;
  return available;
}

StorageStates keeping(const KeptStorages& kept) {
  StorageStates states;
  for (const bool is_kept : kept) states.push_back(is_kept ? StorageState::Kept : StorageState::Recomputed);
  return states;
}

void change_while_better(const RecomputeProblem& problem, const StateSearch& search) {
  Changes changes(problem, search);
  bool is_better = true;
  while (is_better && !search.is_done()) is_better = changes.make_each() || changes.make_pairs();
}

void change_at_random(const RecomputeProblem& problem, const StateSearch& search, std::size_t tries) {
  Changes(problem, search).make_random(tries);
}

}  // namespace fxcut
