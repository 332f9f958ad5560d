#include "explain/storage_trade.h"

#include <algorithm>

#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"

namespace fxcut {
namespace {

// The graph as the solver had it: since then the random operators that it recomputes got tags.
JointGraph without_own_tags(const Decision& decision) {
  JointGraph joint = decision.joint;
  const std::vector<BackwardReason>& backward_reasons = node_facts(decision.choice)->backward_reasons;
  for (std::size_t i = 0; i < joint.graph.size(); ++i) {
    Node& node = joint.graph.nodes[i];
    if (backward_reasons[i] != BackwardReason::MustBeRecomputed && node.must_recompute()) node.meta.recompute.reset();
  }
  return joint;
}

KeptStorages kept_storages(const RecomputeProblem& problem, const std::vector<NodeId>& saved) {
  KeptStorages kept(problem.storages.size(), false);
  for (const Item& item : problem.items) {
    const bool is_saved = std::binary_search(saved.begin(), saved.end(), item.node);
    if (is_saved && item.storage != kNoStorage) kept[item.storage] = true;
  }
  return kept;
}

}  // namespace

std::optional<StorageTrade> find_storage_trade(const Decision& decision, const Settings& settings, NodeId value) {
  const JointGraph joint = without_own_tags(decision);
  const auto distance = distance_from_backward(joint.graph, decision.users, decision.roles);
  const Analysis analysis{joint, decision.users, decision.roles, distance, settings};
  const RecomputeProblem problem = recompute_problem(analysis, decision.storages, flops_by_node(analysis));
  const auto item = std::find_if(problem.items.begin(), problem.items.end(),
                                 [&](const Item& candidate) { return candidate.node == value; });
  if (item == problem.items.end() || item->storage == kNoStorage || item->storage == kFreeStorage) return std::nullopt;
  KeptStorages kept = kept_storages(problem, decision.choice.saved);
  Evaluation evaluation(problem);
  const Outcome original = evaluation.run(kept);
  StorageTrade trade;
  trade.is_saved = kept[item->storage];
  trade.size_bytes = problem.storages[item->storage].bytes;
  trade.price_per_byte = decision.choice.decided_by<ByFrontier>()->facts.price_per_byte;
  kept[item->storage] = !trade.is_saved;
  const Outcome other = evaluation.run(kept);
  trade.is_possible = other.feasible;
  if (!other.feasible) return trade;
  trade.bytes_change = other.bytes - original.bytes;
  trade.cost_change = other.run_cost - original.run_cost;
  return trade;
}

}  // namespace fxcut
