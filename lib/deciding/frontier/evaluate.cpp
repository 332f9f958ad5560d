#include "frontier/evaluate.h"

namespace fxcut {

Evaluation::Evaluation(const RecomputeProblem& problem)
    : problem_(problem), used_(problem.storages.size()) {
  for (const Item& item : problem.items) {
    state_at_first_.push_back(item.demanded ? kNeeded : kUnneeded);
    in_forward_at_first_.push_back(item.in_forward ? 1 : 0);
  }
}

Outcome Evaluation::run(const KeptStorages& kept, const OnlySaved& only) {
  Outcome outcome;
  used_.assign(problem_.storages.size(), false);
  state_ = state_at_first_;
  in_forward_ = in_forward_at_first_;
  for (ItemIndex i = static_cast<ItemIndex>(problem_.items.size()); i-- > 0;) {
    const Item& item = problem_.items[i];
    if (state_[i] == kNeeded) {
      const bool is_other = !only.empty() && item.savable && only[item.storage] != kNoItem && only[item.storage] != i;
      const bool is_kept = item.savable && (item.storage == kFreeStorage || kept[item.storage]) && !is_other;
      state_[i] = is_kept ? kSaved : kRecomputed;
      if (is_kept) {
        in_forward_[i] = 1;
        if (!used_[item.storage]) {
          outcome.bytes += problem_.storages[item.storage].bytes;
          outcome.keep_cost += problem_.storages[item.storage].keep_cost;
        }
        used_[item.storage] = true;
      } else {
        outcome.feasible = outcome.feasible && item.never == Ban::None;
      }
    }
    const bool is_recomputed = state_[i] == kRecomputed;
    if (is_recomputed && in_forward_[i] != 0) outcome.run_cost += item.run_cost;
    if (!is_recomputed && in_forward_[i] == 0) continue;
    for (const ItemIndex input : problem_.inputs_of(i)) {
      if (is_recomputed && state_[input] == kUnneeded) state_[input] = kNeeded;
      if (in_forward_[i] != 0) in_forward_[input] = 1;
    }
  }
  outcome.run_cost += outcome.keep_cost;
  return outcome;
}

std::vector<StorageIndex> worth_keeping(const RecomputeProblem& problem, const Evaluation& evaluation) {
  std::vector<bool> is_worth(problem.storages.size(), false);
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    if (problem.items[i].savable && evaluation.is_recomputed(i)) is_worth[problem.items[i].storage] = true;
  }
  std::vector<StorageIndex> storages;
  for (StorageIndex s = 1; s < is_worth.size(); ++s) {
    if (is_worth[s]) storages.push_back(s);
  }
  return storages;
}

}  // namespace fxcut
