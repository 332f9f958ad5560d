#include "frontier/fixings.h"

namespace fxcut {
namespace {

enum class Progress { None, Some, Impossible };

// Marks the items that are needed in any case, and keeps the storages of those that cannot be recomputed.
Progress keep_required(const RecomputeProblem& problem, FixedState& state) {
  Progress change = Progress::None;
  for (ItemIndex i = 0; i < problem.items.size(); ++i) state.forced[i] = problem.items[i].demanded ? 1 : 0;
  for (ItemIndex i = static_cast<ItemIndex>(problem.items.size()); i-- > 0;) {
    const Item& item = problem.items[i];
    if (state.forced[i] == 0) continue;
    if (item.savable && state.fixings[item.storage] == Fixing::Kept) continue;
    const bool may_be_saved = item.savable && state.fixings[item.storage] == Fixing::Open;
    if (item.never != Ban::None) {
      if (!may_be_saved) return Progress::Impossible;
      state.fixings[item.storage] = Fixing::Kept;
      state.kept_bytes += problem.storages[item.storage].bytes;
      change = Progress::Some;
      continue;
    }
    // A view in an open storage needs its base, kept or recomputed.
    if (may_be_saved && !item.is_view) continue;
    for (const ItemIndex input : problem.inputs_of(i)) state.forced[input] = 1;
  }
  return change;
}

Progress drop_too_large(const RecomputeProblem& problem, FixedState& state, std::int64_t limit_bytes) {
  Progress change = Progress::None;
  if (state.kept_bytes > limit_bytes) return Progress::Impossible;
  for (std::size_t s = 0; s < problem.storages.size(); ++s) {
    if (state.fixings[s] != Fixing::Open || state.kept_bytes + problem.storages[s].bytes <= limit_bytes) continue;
    state.fixings[s] = Fixing::Dropped;
    change = Progress::Some;
  }
  return change;
}

}  // namespace

Fixings all_open(const RecomputeProblem& problem) {
  Fixings fixings(problem.storages.size(), Fixing::Open);
  fixings[kFreeStorage] = Fixing::Kept;
  return fixings;
}

std::optional<FixedState> propagate(const RecomputeProblem& problem, Fixings fixings, std::int64_t limit_bytes) {
  FixedState state{std::move(fixings), std::vector<char>(problem.items.size()), 0};
  for (std::size_t s = 0; s < problem.storages.size(); ++s) {
    if (state.fixings[s] == Fixing::Kept) state.kept_bytes += problem.storages[s].bytes;
  }
  while (true) {
    const Progress kept = keep_required(problem, state);
    const Progress dropped = drop_too_large(problem, state, limit_bytes);
    if (kept == Progress::Impossible || dropped == Progress::Impossible) return std::nullopt;
    if (kept == Progress::None && dropped == Progress::None) return state;
  }
}

}  // namespace fxcut
