#include "frontier/pytorchs_choices.h"

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

}  // namespace

std::vector<KeptStorages> pytorchs_choices(const Analysis& analysis, const RecomputeProblem& problem) {
  BanOptions options = ban_options(analysis.settings);
  std::vector<BanOptions> rounds = {options};
  options.used_far_apart = options.long_fusible_chains = options.materialized_in_backward = false;
  rounds.push_back(options);
  options.not_in_allowlist = false;
  rounds.push_back(options);

  std::vector<KeptStorages> choices;
  for (const BanOptions& round : rounds) {
    SavedValues choice;
    try {
      solve_cut(analysis, round, {}, choice);
    } catch (const Failure& failure) {
      if (failure.status() != ExitStatus::NoPartition) throw;
      continue;
    }
    std::vector<bool> is_saved(analysis.graph().size(), false);
    for (const NodeId id : choice.saved) is_saved[index_of(id)] = true;
    choices.push_back(storages_of(problem, is_saved));
  }
  return choices;
}

}  // namespace fxcut
