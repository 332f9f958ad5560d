#include "frontier/pytorchs_choices.h"

#include <utility>

#include "diagnostic/attempt.h"
#include "solve/memory_budget.h"
#include "solve/saved_values.h"

namespace fxcut {
namespace {

constexpr int kBudgets = 10;  // the memory budgets that are looked at are tenths

KeptStorages storages_of(const Analysis& analysis, const RecomputeProblem& problem, const std::vector<NodeId>& saved) {
  std::vector<bool> is_saved(analysis.graph().size(), false);
  for (const NodeId id : saved) is_saved[index_of(id)] = true;
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
    const auto answer = attempt([&] { return solve_cut(analysis, ban_options_of_round(analysis.settings, round)); });
    if (answer) choices.push_back(storages_of(analysis, problem, answer->saved));
  }
  return choices;
}

std::optional<KeptStorages> pytorchs_choice_within(const Analysis& analysis, const RecomputeProblem& problem,
                                                   std::int64_t limit_bytes) {
  Settings settings = analysis.settings;
  settings.activation_memory_budget_solver = {};
  const Analysis by_pytorch{analysis.joint, analysis.users, analysis.roles, analysis.distance, settings};
  Evaluation evaluation(problem);
  std::optional<KeptStorages> largest;
  for (int within = 0, above = kBudgets; above - within > 1;) {
    const int tried = (within + above) / 2;
    const auto answer = attempt([&] { return choose_saved_values(by_pytorch, static_cast<double>(tried) / kBudgets); });
    if (!answer) return largest;
    KeptStorages kept = storages_of(analysis, problem, answer->saved);
    const Outcome outcome = evaluation.run(kept);
    const bool fits = outcome.feasible && outcome.bytes <= limit_bytes;
    if (fits) largest = std::move(kept);
    (fits ? within : above) = tried;
  }
  return largest;
}

}  // namespace fxcut
