#include "peak/save_fastest.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "frontier/budget_search.h"
#include "frontier/evaluate.h"
#include "frontier/pytorchs_choices.h"
#include "frontier/save_within_limit.h"
#include "frontier/with_forms.h"
#include "peak/predicted_step.h"

namespace fxcut {
namespace {

// Work, as frontier/work_budget.h counts it: a tenth of a second of a core of 2023.
constexpr std::int64_t kStepsByOperators = 30'000'000;

// The solver's choice, reduced to the storages that are used, and then the others within the limit and the given gap; each once.
std::vector<Choice> choices_within(const WithinLimit& found, const std::vector<std::optional<KeptStorages>>& others,
                                   double most_gap) {
  Evaluation evaluation(found.problem);
  std::vector<Choice> choices;
  const auto add = [&](const KeptStorages& kept) {
    const Outcome outcome = evaluation.run(kept);
    const auto is_same = [&](const Choice& other) { return other.kept == evaluation.used(); };
    const bool is_near = choices.empty() || most_gap == 0 || gap(outcome.run_cost, found.facts.bound) <= most_gap;
    if (!outcome.feasible || outcome.bytes > found.facts.limit_bytes || !is_near || std::ranges::any_of(choices, is_same)) return;
    choices.push_back({evaluation.used(), outcome.run_cost, outcome.bytes});
  };
  add(found.kept);
  for (const std::optional<KeptStorages>& other : others) {
    if (other) add(*other);
  }
  for (const KeptStorages& kept : found.candidates) add(kept);
  return choices;
}

// The solver's choice if recomputing an operator costs only its own price, as far as little work finds it.
std::optional<KeptStorages> by_operators(const Analysis& analysis, const StorageBytes& storages, const WithinLimit& found,
                                         const SearchLimits& search) {
  const RecomputeProblem problem =
      with_allowed_forms(analysis, operators_problem(analysis, storages, estimator_of_frontier(analysis.settings)));
  std::optional<Choice> choice =
      search_within(problem, found.facts.limit_bytes, search.with_at_most(kStepsByOperators), found.candidates).choice;
  return choice ? std::optional(std::move(choice->kept)) : std::nullopt;
}

// The first of equally fast ones.
std::size_t fastest_of(const std::vector<std::optional<PredictedCost>>& costs) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < costs.size(); ++i) {
    if (costs[i] && (!costs[best] || costs[i]->step_ms < costs[best]->step_ms)) best = i;
  }
  return best;
}

std::size_t fastest_of(const Analysis& analysis, const FinishingNeeds& needs, const RecomputeProblem& problem,
                       const std::vector<Choice>& choices) {
  if (choices.size() == 1) return 0;
  std::vector<const KeptStorages*> kept;
  for (const Choice& choice : choices) kept.push_back(&choice.kept);
  return fastest_of(predicted_costs(analysis, problem, needs, kept));
}

}  // namespace

SavedValues save_fastest_within_limit(const Analysis& analysis, const StorageBytes& storages, const FinishingNeeds& needs,
                                      const MemoryLimit& limit, const SearchLimits& search) {
  WithinLimit found = find_within_limit(analysis, storages, limit, search);
  if (!found.problem.prices_kernels) {
    return saved_by_frontier(analysis, found.problem, found.kept, found.facts);
  }
  const std::vector<Choice> choices = choices_within(
      found,
      {by_operators(analysis, storages, found, search), pytorchs_choice_within(analysis, found.problem, found.facts.limit_bytes)},
      search.gap);
  const std::size_t fastest = fastest_of(analysis, needs, found.problem, choices);
  FrontierFacts& facts = found.facts;
  facts.saved_bytes = choices[fastest].bytes;
  facts.run_cost = choices[fastest].run_cost;
  facts.is_proven = facts.run_cost == facts.bound;
  if (!facts.is_proven && facts.ended_by == EndedBy::Proof) facts.ended_by = EndedBy::Exhausted;
  return saved_by_frontier(analysis, found.problem, choices[fastest].kept, facts);
}

}  // namespace fxcut
