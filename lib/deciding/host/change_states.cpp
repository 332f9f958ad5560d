#include "host/change_states.h"

#include <algorithm>
#include <optional>
#include <random>

#include "frontier/fixings.h"

namespace fxcut {
namespace {

// Changes at once, of storages whose changes are no farther apart.
constexpr std::size_t kFewestAtOnce = 2, kMoreAtOnce = 5, kNeighbours = 40;

struct Change {
  StorageIndex storage = 0;
  StorageState state = StorageState::Recomputed;
  StorageState inputs = StorageState::Recomputed;  // of what it is made of: then as they are
};

class Changes {
 public:
  Changes(const RecomputeProblem& problem, const StateSearch& search)
      : search_(search), made_of_(problem.storages.size()), may_drop_(1, true) {
    using enum StorageState;
    const std::optional<FixedState> state = propagate(problem, all_open(problem), kNoLimit);
    for (ItemIndex i = 0; i < problem.items.size(); ++i) {
      if (!has_storage(problem.items[i])) continue;
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
    bool any = false;
    StorageStates best = search_.best();
    for (const Change& change : all_) {
      if (search_.is_done()) break;
      if (!may_be_better(change, best)) continue;
      StorageStates states = best;
      if (!make(change, states) || !search_.offer(states)) continue;
      any = true;
      best = search_.best();
    }
    return any;
  }

  bool make_pairs() {
    bool any = false;
    for (std::size_t a = 0; makes_pairs_ && a < all_.size(); ++a) {
      for (std::size_t b = a + 1; b < all_.size() && !search_.is_done(); ++b) {
        StorageStates states = search_.best();
        if (all_[a].storage == all_[b].storage || !make(all_[a], states) || !make(all_[b], states)) continue;
        any = search_.offer(states) || any;
      }
    }
    return any;
  }

  void make_random(std::size_t tries) {
    std::mt19937 random;
    for (std::size_t i = 0; i < tries && !all_.empty() && !search_.is_done(); ++i) {
      StorageStates states = search_.best();
      const std::size_t first = random() % all_.size();
      for (std::size_t left = kFewestAtOnce + random() % kMoreAtOnce; left > 0; --left) {
        make(all_[std::min(first + random() % kNeighbours, all_.size() - 1)], states);
      }
      search_.offer(states);
    }
  }

 private:
  static bool has_storage(const Item& item) { return item.storage != kNoStorage && item.storage != kFreeStorage; }

  void add(StorageIndex s, StorageState available) {
    all_.push_back({s, available});
    if (!made_of_[s].empty()) all_.push_back({s, StorageState::Recomputed, available});
  }

  void add_input(const RecomputeProblem& problem, StorageIndex storage, ItemIndex input) {
    const StorageIndex of_input = problem.items[input].storage;
    std::vector<StorageIndex>& made_of = made_of_[storage];
    if (!has_storage(problem.items[input]) || of_input == storage) return;
    if (std::ranges::find(made_of, of_input) == made_of.end()) made_of.push_back(of_input);
  }

  bool may_be_better(const Change& change, const StorageStates& best) const {
    using enum StorageState;
    const bool was_available = best[change.storage] != Recomputed, is_available = change.state != Recomputed;
    const bool is_alone = change.inputs == Recomputed;
    if (change.state == Recomputed && !may_drop_[change.storage]) return false;
    if (!search_.copies_kept && is_alone && change.state == Copied && best[change.storage] == Kept) return false;
    if (!is_alone && are_available(made_of_[change.storage], best)) return false;  // the same as the change alone, tried before
    if (!is_alone || was_available == is_available) return true;
    if (search_.may_flip && !search_.may_flip(change.storage)) return false;
    return change.state != Kept || !search_.may_keep || search_.may_keep(change.storage);
  }

  static bool are_available(const std::vector<StorageIndex>& storages, const StorageStates& states) {
    return std::ranges::none_of(storages, [&](StorageIndex s) { return states[s] == StorageState::Recomputed; });
  }

  // Whether anything is then different.
  bool make(const Change& change, StorageStates& states) const {
    bool is_change = states[change.storage] != change.state;
    states[change.storage] = change.state;
    if (change.inputs == StorageState::Recomputed) return is_change;
    for (const StorageIndex input : made_of_[change.storage]) {
      if (states[input] != StorageState::Recomputed) continue;
      states[input] = change.inputs;
      is_change = true;
    }
    return is_change;
  }

  const StateSearch& search_;
  std::vector<std::vector<StorageIndex>> made_of_;  // by storage: the storages that its values are computed from
  std::vector<Change> all_;
  std::vector<bool> may_drop_;  // by storage: not if it has to be kept in any case
  bool makes_pairs_ = false;
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
