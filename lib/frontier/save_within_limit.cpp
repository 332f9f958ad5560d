#include "frontier/save_within_limit.h"

#include "classify/random_calls.h"
#include "frontier/budget_limit.h"
#include "frontier/costed_problem.h"
#include "frontier/lagrangian_bound.h"
#include "frontier/unmet_limit.h"

namespace fxcut {
namespace {

// The choice that saves the least.
Choice least_choice(const Analysis& analysis, const RecomputeProblem& problem) {
  auto state = propagate(problem, all_open(problem), kNoLimit);
  if (!state) throw nothing_can_be(analysis, problem);
  Relaxation relaxation(problem, std::move(*state));
  Incumbent incumbent(problem, kNoLimit);
  const PricedOptimum least = optimum_at(problem, relaxation, incumbent, least_bytes(problem));
  Evaluation evaluation(problem);
  const Outcome outcome = evaluation.run(least.point.used);
  return {evaluation.used(), outcome.run_cost, outcome.bytes};
}

Tie tie_of(const Analysis& a, NodeId id) {
  const std::size_t i = index_of(id);
  if (a.roles.tangents_closure[i]) return Tie::ComputedInBackward;
  if (a.node(id).must_recompute()) return Tie::MustBeRecomputed;
  return a.roles.required_backward[i] ? Tie::NeededInBackward : Tie::None;
}

SavedValues saved_values(const Analysis& a, const RecomputeProblem& problem, const Choice& choice) {
  const std::size_t nodes = a.graph().size();
  SavedValues values;
  values.bans.assign(nodes, Ban::None);
  values.costs = saving_costs(a);
  values.ties.resize(nodes);
  values.in_backward.assign(nodes, false);
  for (std::size_t i = 0; i < nodes; ++i) {
    values.ties[i] = tie_of(a, node_id(i));
    values.in_backward[i] = a.roles.tangents_closure[i];
  }
  Evaluation evaluation(problem);
  evaluation.run(choice.kept);
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    const Item& item = problem.items[i];
    values.bans[index_of(item.node)] = item.never;
    if (item.never != Ban::None) values.banned.push_back(item.node);
    if (evaluation.is_saved(i)) values.saved.push_back(item.node);
    if (evaluation.is_saved(i) || evaluation.is_recomputed(i)) values.in_backward[index_of(item.node)] = true;
  }
  return values;
}

}  // namespace

bool wants_frontier(const Settings& settings, double budget) {
  const bool has_limit = budget < 1 || !settings.saved_bytes_limit.empty();
  return settings.activation_memory_budget_solver == kFrontierSolver && has_limit;
}

MemoryLimit limit_of(const Analysis& analysis, const StorageBytes& storages, double budget) {
  const std::string& given = analysis.settings.saved_bytes_limit;
  return given.empty() ? MemoryLimit{false, limit_of_budget(analysis, storages, budget)} : *parse_memory_limit(given);
}

SearchLimits search_limits(const Settings& settings, std::function<bool()> time_is_up) {
  SearchLimits limits;
  if (settings.budget_search_parts > 0) limits.most_parts = settings.budget_search_parts;
  limits.is_over = std::move(time_is_up);
  return limits;
}

bool tag_recomputed_random(JointGraph& joint, const SavedValues& choice) {
  std::vector<bool> is_saved(joint.graph.size(), false);
  for (const NodeId id : choice.saved) is_saved[index_of(id)] = true;
  bool any = false;
  for (std::size_t i = 0; i < joint.graph.size(); ++i) {
    Node& node = joint.graph.nodes[i];
    const bool is_recomputed = choice.in_backward[i] && !is_saved[i] && choice.ties[i] != Tie::ComputedInBackward;
    if (!is_recomputed || !draws_numbers(node)) continue;
    if (!node.must_recompute()) node.meta.recompute = CheckpointPolicy::PreferRecompute;
    any = true;
  }
  return any;
}

SavedValues save_within_limit(const Analysis& analysis, const StorageBytes& storages, const MemoryLimit& limit,
                              const SearchLimits& search) {
  const RecomputeProblem problem = costed_problem(analysis, storages, estimator_of(analysis.settings));
  const Choice least = least_choice(analysis, problem);
  const std::int64_t limit_bytes = limit.is_least ? least.bytes : limit.bytes;
  const BudgetAnswer answer = search_within(problem, limit_bytes, search);
  if (!answer.choice) throw unmet_limit(analysis, problem, limit_bytes, least);
  SavedValues values = saved_values(analysis, problem, *answer.choice);
  values.frontier = FrontierFacts{.limit_bytes = limit_bytes,
                                  .saved_bytes = answer.choice->bytes,
                                  .run_cost = answer.choice->run_cost,
                                  .bound = answer.bound,
                                  .is_proven = answer.is_proven,
                                  .price_per_byte = answer.price.per_byte(),
                                  .cuts = answer.cuts,
                                  .parts = answer.parts};
  return values;
}

}  // namespace fxcut
