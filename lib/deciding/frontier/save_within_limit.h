// The frontier solver's decision: the least recomputation under a limit of saved bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/analysis.h"
#include "cost/size.h"
#include "frontier/budget_search.h"
#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"
#include "frontier/unmet_limit.h"
#include "frontier/work_budget.h"
#include "settings/memory_limit.h"
#include "solve/saved_values.h"

namespace fxcut {

// A budget is a share of the bytes that PyTorch's min cut saves, not counting the inputs: the limit is the bytes of the
// inputs and that share of the rest, storages counted once, without static lifetime inputs. `storages`: of the graph as
// read. Throws as choose_saved_values does.
std::int64_t limit_of_budget(const Analysis& analysis, const StorageBytes& storages, double budget);

// Whether the settings select the frontier solver: it is named, and there is a limit.
bool uses_frontier(const Settings& settings, double budget);

// The limit of the settings, or else of the budget.
MemoryLimit limit_of(const Analysis& analysis, const StorageBytes& storages, double budget);

// The limits of the settings; `halt` for the time limit.
SearchLimits search_limits(const Settings& settings, HaltRequested halt);

// Tags the recomputed random operators, so that their generator's state is saved. Returns whether there are any.
bool tag_recomputed_random(JointGraph& joint, const SavedValues& choice);

// The choice that saves the least, or the least found: by the relaxation, and of the candidates. Throws Failure (NoPartition) if
// none is possible.
LeastFound find_least(const Analysis& analysis, const RecomputeProblem& problem, const std::vector<KeptStorages>& candidates,
                      WorkBudget& work);

// The solver's result within a limit.
struct WithinLimit {
  RecomputeProblem problem;
  std::vector<KeptStorages> candidates;  // PyTorch's choices, whether they are within the limit or not
  KeptStorages kept;
  FrontierFacts facts;
};

// With the forms that the settings allow, and never slower than without them. Throws as save_within_limit does.
WithinLimit find_within_limit(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                              const SearchLimits& search);

// The same for a problem of the graph; `known` are choices that the search also begins with.
WithinLimit find_within_limit(const Analysis& analysis, RecomputeProblem problem, const MemoryLimit& limit,
                              const SearchLimits& search, const std::vector<KeptStorages>& known = {});

// The values to save, with a bound on the optimum; not worse than any of PyTorch's cuts within the limit. Throws Failure
// (NoPartition) if none within the limit is found: with whether that is proven, the least found, and its largest values.
SavedValues save_within_limit(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                              const SearchLimits& search);

// The decision to keep these storages, and of some only one value.
SavedValues saved_by_frontier(const Analysis& analysis, const RecomputeProblem& problem, const KeptStorages& kept,
                              const FrontierFacts& facts, const OnlySaved& only = {});

}  // namespace fxcut
