#include "frontier/save_within_limit.h"

#include <cmath>

#include "classify/purity.h"
#include "frontier/hull.h"
#include "frontier/lagrangian_bound.h"
#include "frontier/pytorchs_choices.h"
#include "frontier/recompute_problem.h"
#include "frontier/unmet_limit.h"
#include "frontier/with_forms.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

constexpr std::int64_t kMaxPartsForLeast = 50;  // the relaxation is exact on all but a few graphs

LeastFound find_least_by_relaxation(const Analysis& analysis, const RecomputeProblem& problem, WorkBudget& work) {
  auto state = propagate(problem, all_open(problem), kNoLimit);
  if (!state) throw is_impossible(analysis, problem);
  Relaxation relaxation(problem, std::move(*state));
  const Price price = least_bytes(problem);
  PricedChoice best = best_at(problem, relaxation, price, kMaxPartsForLeast, work);
  // At that price recomputing everything costs less than a byte.
  const std::int64_t floor = best.is_proven ? best.choice.bytes : static_cast<std::int64_t>(best.bound / price.run_cost);
  return {std::move(best.choice), floor};
}

// Replaces the least choice by a candidate that saves less.
void use_smaller(const RecomputeProblem& problem, const std::vector<KeptStorages>& candidates, Choice& least) {
  Evaluation evaluation(problem);
  for (const KeptStorages& kept : candidates) {
    const Outcome outcome = evaluation.run(kept);
    if (outcome.feasible && outcome.bytes < least.bytes) least = {evaluation.used(), outcome.run_cost, outcome.bytes};
  }
}

}  // namespace

LeastFound find_least(const Analysis& analysis, const RecomputeProblem& problem, const std::vector<KeptStorages>& candidates,
                      WorkBudget& work) {
  LeastFound least = find_least_by_relaxation(analysis, problem, work);
  use_smaller(problem, candidates, least.choice);
  return least;
}

std::int64_t limit_of_budget(const Analysis& analysis, const StorageBytes& storages, double budget) {
  const std::int64_t least = bytes_not_static(analysis.graph(), storages, analysis.roles.inputs);
  const CutAnswer first = solve_cut(analysis, ban_options(analysis.settings));
  const std::int64_t most = bytes_not_static(analysis.graph(), storages, first.saved);
  if (most <= least) return most;
  return least + static_cast<std::int64_t>(std::floor(budget * static_cast<double>(most - least)));
}

bool uses_frontier(const Settings& settings, double budget) {
  const bool has_limit = budget < 1 || settings.saved_bytes_limit;
  return budget_solver_of(settings).is_frontier() && has_limit;
}

MemoryLimit limit_of(const Analysis& analysis, const StorageBytes& storages, double budget) {
  if (const auto& given = analysis.settings.saved_bytes_limit) return *given;
  return limit_of_bytes(limit_of_budget(analysis, storages, budget));
}

SearchLimits search_limits(const Settings& settings, HaltRequested halt) {
  return {.most_steps = settings.budget_search_steps,
          .most_parts = settings.budget_search_parts,
          .gap = settings.budget_gap,
          .halt = std::move(halt)};
}

bool tag_recomputed_random(JointGraph& joint, const SavedValues& choice) {
  std::vector<bool> is_saved(joint.graph.size(), false);
  for (const NodeId id : choice.saved) is_saved[index_of(id)] = true;
  const NodeFacts& facts = *node_facts(choice);
  bool any = false;
  for (std::size_t i = 0; i < joint.graph.size(); ++i) {
    Node& node = joint.graph.nodes[i];
    const bool is_recomputed =
        facts.in_backward[i] && !is_saved[i] && facts.backward_reasons[i] != BackwardReason::ComputedInBackward;
    if (!is_recomputed || !draws_numbers(node)) continue;
    if (!node.must_recompute()) node.meta.recompute = CheckpointPolicy::PreferRecompute;
    any = true;
  }
  return any;
}

SavedValues saved_by_frontier(const Analysis& a, const RecomputeProblem& problem, const KeptStorages& kept,
                              const FrontierFacts& facts, const OnlySaved& only) {
  NodeFacts nodes{std::vector<Ban>(a.graph().size(), Ban::None), saving_costs(a), find_backward_reasons(a),
                  a.roles.tangents_closure};
  std::vector<NodeId> saved;
  Evaluation evaluation(problem);
  FrontierFacts told = facts;
  const Outcome outcome = evaluation.run(kept, only);
  if (problem.prices_kernels || !problem.forms.empty()) told.keep_cost = outcome.keep_cost;
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    const std::size_t node = index_of(problem.items[i].node);
    if (!problem.items[i].is_form()) nodes.bans[node] = problem.items[i].never;
    if (evaluation.is_saved(i)) saved.push_back(problem.items[i].node);
    if (evaluation.is_saved(i) || evaluation.is_recomputed(i)) nodes.in_backward[node] = true;
  }
  std::ranges::copy(find_nodes(a.graph(), is_backward_state), std::back_inserter(saved));  // which take nothing
  return {.by = ByFrontier{std::move(nodes), told},
          .saved = std::move(saved),
          .compressed = compressed_in(evaluation, problem)};
}

WithinLimit find_within_limit(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                              const SearchLimits& search) {
  const RecomputeProblem problem = costed_problem(analysis, storages, estimator_of_frontier(analysis.settings));
  RecomputeProblem larger = with_allowed_forms(analysis, problem);
  std::vector<KeptStorages> known;
  if (!limit.is_least) {
    known = found_without_forms(larger, [&] { return find_within_limit(analysis, problem, limit, search).kept; });
  }
  return find_within_limit(analysis, std::move(larger), limit, search, known);
}

WithinLimit find_within_limit(const Analysis& analysis, RecomputeProblem problem, const MemoryLimit& limit,
                              const SearchLimits& search, const std::vector<KeptStorages>& known) {
  WorkBudget work({.most_steps = search.most_steps}, problem.items.size());  // without a halt: any answer is better than none
  std::vector<KeptStorages> candidates = pytorchs_choices(analysis, problem);
  candidates.insert(candidates.end(), known.begin(), known.end());
  const LeastFound least = find_least(analysis, problem, candidates, work);
  const std::int64_t limit_bytes = limit.is_least ? least.choice.bytes : limit.bytes;
  std::vector<KeptStorages> begin = candidates;
  begin.insert(begin.begin(), least.choice.kept);
  const BudgetAnswer answer = search_within(problem, limit_bytes, search, begin);
  if (!answer.choice) throw unmet_limit(analysis, problem, limit_bytes, least, answer.is_proven);
  const FrontierFacts facts{.limit_bytes = limit_bytes,
                            .saved_bytes = answer.choice->bytes,
                            .run_cost = answer.choice->run_cost,
                            .bound = answer.bound,
                            .is_proven = answer.is_proven,
                            .price_per_byte = answer.price.per_byte(),
                            .cuts = answer.cuts,
                            .parts = answer.parts,
                            .steps = answer.steps + work.steps(),
                            .ended_by = answer.ended_by};
  return {std::move(problem), std::move(candidates), answer.choice->kept, facts};
}

SavedValues save_within_limit(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                              const SearchLimits& search) {
  const WithinLimit found = find_within_limit(analysis, storages, limit, search);
  return saved_by_frontier(analysis, found.problem, found.kept, found.facts);
}

}  // namespace fxcut
