#include "host/change_states.h"

namespace fxcut {
namespace {

constexpr std::size_t kMostInPairs = 400;  // storages up to which two are changed at once
constexpr StorageState kStates[] = {StorageState::Recomputed, StorageState::Kept, StorageState::Copied};

bool change_each(const StateSearch& search, std::size_t storages) {
  bool any = false;
  for (StorageIndex s = 1; s < storages && !search.is_done(); ++s) {
    for (const StorageState state : kStates) {
      StorageStates states = search.best();
      if (states[s] == state) continue;
      states[s] = state;
      any = search.offer(states) || any;
    }
  }
  return any;
}

bool change_pairs(const StateSearch& search, std::size_t storages) {
  if (storages > kMostInPairs) return false;
  bool any = false;
  for (StorageIndex a = 1; a < storages; ++a) {
    for (StorageIndex b = a + 1; b < storages && !search.is_done(); ++b) {
      const StorageStates before = search.best();
      for (const StorageState of_a : kStates) {
        for (const StorageState of_b : kStates) {
          if (of_a == before[a] || of_b == before[b]) continue;
          StorageStates states = before;
          states[a] = of_a;
          states[b] = of_b;
          any = search.offer(states) || any;
        }
      }
    }
  }
  return any;
}

}  // namespace

KeptStorages available_in(const StorageStates& states) {
  KeptStorages available(states.size(), false);
  for (StorageIndex s = 0; s < states.size(); ++s) available[s] = states[s] != StorageState::Recomputed;
  return available;
}

void change_while_better(const StateSearch& search) {
  const std::size_t storages = search.best().size();
  bool is_better = true;
  while (is_better && !search.is_done()) is_better = change_each(search, storages) || change_pairs(search, storages);
}

}  // namespace fxcut
