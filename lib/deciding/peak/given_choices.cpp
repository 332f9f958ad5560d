#include "peak/given_choices.h"

#include <algorithm>
#include <vector>

namespace fxcut {

KeptStorages kept_by(const Analysis& analysis, const RecomputeProblem& problem, const SavedNames& saved) {
  KeptStorages kept(problem.storages.size(), false);
  for (const Item& item : problem.items) {
    const auto& names = item.is_form() ? saved.compressed : saved.whole;
    if (item.storage != kNoStorage && names.contains(analysis.node(item.node).name)) kept[item.storage] = true;
  }
  return kept;
}

std::size_t count_open(const Fixings& fixings) {
  return static_cast<std::size_t>(std::ranges::count(fixings, Fixing::Open));
}

bool for_each_choice(const Fixings& fixings, const std::function<bool(const KeptStorages&)>& visit) {
  std::vector<StorageIndex> open;
  KeptStorages kept(fixings.size(), false);
  for (StorageIndex s = 0; s < kept.size(); ++s) {
    kept[s] = fixings[s] == Fixing::Kept;
    if (fixings[s] == Fixing::Open) open.push_back(s);
  }
  for (std::size_t chosen = 0; chosen < std::size_t{1} << open.size(); ++chosen) {
    for (std::size_t i = 0; i < open.size(); ++i) kept[open[i]] = (chosen >> i & 1) != 0;
    if (!visit(kept)) return false;
  }
  return true;
}

}  // namespace fxcut
