#include "frontier/pytorchs_choices.h"

#include <utility>

#include "diagnostic/diagnostic.h"
#include "solve/memory_budget.h"

namespace fxcut {
namespace {

KeptStorages storages_of(const RecomputeProblem& problem, const std::vector<bool>& is_saved) {
  KeptStorages kept(problem.storages.size(), false);
  for (const Item& item : problem.items) {
    if (item.savable && is_saved[index_of(item.node)]) kept[item.storage] = true;
  }
  return kept;
}

}  // namespace

std::optional<KeptStorages> pytorchs_choice(const Analysis& analysis, const RecomputeProblem& problem,
                                            std::size_t place) {
  std::vector<bool> is_saved(analysis.graph().size(), false);
  try {
    const CutAnswer answer = solve_cut(analysis, ban_options_of_round(analysis.settings, place));
    for (const NodeId id : answer.saved) is_saved[index_of(id)] = true;
  } catch (const Failure& failure) {
    if (failure.status() != ExitStatus::NoPartition) throw;
    return std::nullopt;
  }
  return storages_of(problem, is_saved);
}

std::vector<KeptStorages> pytorchs_choices(const Analysis& analysis, const RecomputeProblem& problem) {
  std::vector<KeptStorages> choices;
  for (std::size_t place = 0; place < kPytorchsChoices; ++place) {
    if (auto choice = pytorchs_choice(analysis, problem, place)) choices.push_back(*std::move(choice));
  }
  return choices;
}

}  // namespace fxcut
