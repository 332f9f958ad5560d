#include "frontier/pytorchs_choices.h"

#include <utility>

#include "diagnostic/diagnostic.h"
#include "solve/saved_values.h"

namespace fxcut {
namespace {

KeptStorages storages_of(const RecomputeProblem& problem, const std::vector<bool>& is_saved) {
  KeptStorages kept(problem.storages.size(), false);
  for (const Item& item : problem.items) {
    if (item.savable && is_saved[index_of(item.node)]) kept[item.storage] = true;
  }
  return kept;
}

BanOptions bans_at(const Settings& settings, std::size_t place) {
  BanOptions options = ban_options(settings);
  if (place >= 1) options.used_far_apart = options.long_fusible_chains = options.materialized_in_backward = false;
  if (place >= 2) options.not_in_allowlist = false;
  return options;
}

}  // namespace

std::optional<KeptStorages> pytorchs_choice(const Analysis& analysis, const RecomputeProblem& problem,
                                            std::size_t place) {
  SavedValues choice;
  try {
    solve_cut(analysis, bans_at(analysis.settings, place), {}, choice);
  } catch (const Failure& failure) {
    if (failure.status() != ExitStatus::NoPartition) throw;
    return std::nullopt;
  }
  std::vector<bool> is_saved(analysis.graph().size(), false);
  for (const NodeId id : choice.saved) is_saved[index_of(id)] = true;
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
