#include "compress/save_compressed.h"

#include <optional>
#include <utility>
#include <vector>

#include "compress/forms.h"
#include "compress/problem_with_forms.h"
#include "cost/estimators.h"
#include "diagnostic/diagnostic.h"
#include "frontier/recompute_problem.h"
#include "frontier/save_within_limit.h"

namespace fxcut {
namespace {

// The best choice without forms, if there is one, as one of the larger problem, whose further storages are its last.
std::vector<KeptStorages> without_forms(const Analysis& analysis, const RecomputeProblem& problem, std::size_t storages,
                                        const MemoryLimit& limit, const SearchLimits& search) {
  if (limit.is_least) return {};
  try {
    KeptStorages kept = find_within_limit(analysis, problem, limit, search).kept;
    kept.resize(storages, false);
    return {std::move(kept)};
  } catch (const Failure& failure) {
    if (failure.status() != ExitStatus::NoPartition) throw;
    return {};
  }
}

// The reasons for saving are those of the values, which the forms follow in the problem.
void restore_bans(SavedValues& choice, const RecomputeProblem& problem) {
  std::vector<Ban>& bans = std::get<ByFrontier>(choice.by).nodes.bans;
  for (const Item& item : problem.items) bans[index_of(item.node)] = item.never;
}

}  // namespace

SavedValues save_compressed_within_limit(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                                         const SearchLimits& search) {
  const RecomputeProblem problem = costed_problem(analysis, storages, estimator_of_frontier(analysis.settings));
  const ProblemWithForms larger = with_forms(problem, forms_of_fewer_bits(analysis));
  const std::vector<KeptStorages> known =
      without_forms(analysis, problem, larger.problem.storages.size(), limit, search);
  const WithinLimit found = find_within_limit(analysis, larger.problem, limit, search, known);
  SavedValues choice = saved_by_frontier(analysis, found.problem, found.kept, found.facts);
  restore_bans(choice, problem);
  Evaluation evaluation(larger.problem);
  evaluation.run(found.kept);
  for (ItemIndex i = 0; i < larger.problem.items.size(); ++i) {
    const std::optional<FormOfFewerBits>& form = larger.form_of[i];
    if (!form || !evaluation.is_saved(i)) continue;
    choice.compressed.emplace(larger.problem.items[i].node, CompressedAs{form->how, form->dtype});
  }
  return choice;
}

void mark_compressed(JointGraph& joint, const SavedValues& choice) {
  for (const auto& [id, as] : choice.compressed) {
    joint.graph[id].meta.compression = as.how;
    joint.graph[id].meta.compressed_dtype = as.dtype;
  }
}

}  // namespace fxcut
