#include "frontier/pytorchs_choices.h"

#include "diagnostic/attempt.h"
#include "solve/memory_budget.h"

namespace fxcut {
namespace {

KeptStorages storages_of(const RecomputeProblem& problem, const std::vector<bool>& is_saved) {
  KeptStorages kept(problem.storages.size(), false);
  for (const Item& item : problem.items) {
    // With forms, a view is in a storage that is kept by its base only (with_forms.h).
    const bool is_in_storage = item.savable || (!problem.forms.empty() && item.storage != kNoStorage);
    const bool may_be = item.is_form() ? problem.forms[item.form].is_fixed : is_in_storage;
    if (may_be && is_saved[index_of(item.node)]) kept[item.storage] = true;
  }
  return kept;
}

}  // namespace

std::vector<KeptStorages> pytorchs_choices(const Analysis& analysis, const RecomputeProblem& problem) {
  std::vector<KeptStorages> choices;
  for (std::size_t round = 0; round < kBanRounds; ++round) {
    std::vector<bool> is_saved(analysis.graph().size(), false);
    auto answer = attempt([&] { return solve_cut(analysis, ban_options_of_round(analysis.settings, round)); });
    if (!answer) continue;
    for (const NodeId id : answer->saved) is_saved[index_of(id)] = true;
    choices.push_back(storages_of(problem, is_saved));
  }
  return choices;
}

}  // namespace fxcut
