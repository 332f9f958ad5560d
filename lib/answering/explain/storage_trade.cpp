#include "explain/storage_trade.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cost/estimators.h"
#include "diagnostic/diagnostic.h"
#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"
#include "frontier/with_forms.h"

namespace fxcut {
namespace {

// The graph as the solver had it, before the random operators that it recomputes got tags.
JointGraph without_own_tags(const Decision& decision) {
  JointGraph joint = decision.joint;
  const std::vector<BackwardReason>& backward_reasons = node_facts(decision.choice)->backward_reasons;
  for (std::size_t i = 0; i < joint.graph.size(); ++i) {
    Node& node = joint.graph.nodes[i];
    if (backward_reasons[i] != BackwardReason::MustBeRecomputed && node.must_recompute()) node.meta.recompute.reset();
  }
  return joint;
}

// The solver's problem, in its costs and in FLOPs, and its choice.
class SolvedProblem {
 public:
  SolvedProblem(const Decision& decision, const Settings& settings)
      : decision_(decision), estimator_(estimator_of_frontier(settings)), joint_(without_own_tags(decision)) {
    const auto distance = distance_from_backward(joint_.graph, decision.users, decision.roles);
    const Analysis analysis{joint_, decision.users, decision.roles, distance, settings};
    in_costs_ = with_allowed_forms(analysis, costed_problem(analysis, decision.storages, estimator_));
    in_flops_ = with_allowed_forms(analysis, recompute_problem(analysis, decision.storages, flops_by_node(analysis)));
    kept_.assign(in_costs_.storages.size(), false);
    for (ItemIndex i = 0; i < in_costs_.items.size(); ++i) {
      const Item& item = in_costs_.items[i];
      if (item.storage != kNoStorage && is_kept(i)) kept_[item.storage] = true;
    }
  }

  // The storage of the value or of its form; nullopt if it has none.
  std::optional<StorageIndex> storage_of(NodeId value, bool of_form) const {
    const std::vector<Item>& items = in_costs_.items;
    for (ItemIndex i = 0; i < items.size(); ++i) {
      if (items[i].node != value || items[i].is_form() != of_form) continue;
      return items[i].has_storage() ? std::optional(items[i].storage) : std::nullopt;
    }
    return std::nullopt;
  }

  const KeptStorages& kept() const { return kept_; }
  const KeepableStorage& storage(StorageIndex at) const { return in_costs_.storages[at]; }
  Outcome in_costs(const KeptStorages& kept) const { return Evaluation(in_costs_).run(kept); }
  Int128 flops(const KeptStorages& kept) const {
    const Outcome outcome = Evaluation(in_flops_).run(kept);
    return outcome.run_cost - outcome.keep_cost;  // that of forms is no number of operations
  }
  const Estimator& estimator() const { return estimator_; }

 private:
  bool is_kept(ItemIndex i) const {
    const SavedValues& choice = decision_.choice;
    const NodeId node = in_costs_.items[i].node;
    const bool is_compressed = choice.compressed.contains(node);
    if (in_costs_.items[i].is_form()) return is_compressed;
    return !is_compressed && std::binary_search(choice.saved.begin(), choice.saved.end(), node);
  }

  const Decision& decision_;
  const Estimator& estimator_;
  JointGraph joint_;
  RecomputeProblem in_costs_, in_flops_;
  KeptStorages kept_;
};

}  // namespace

std::optional<StorageTrade> find_storage_trade(const Decision& decision, const Settings& settings, NodeId value) {
  const SolvedProblem solved(decision, settings);
  const auto storage = solved.storage_of(value, decision.choice.compressed.contains(value));
  if (!storage) return std::nullopt;
  const Outcome original = solved.in_costs(solved.kept());
  StorageTrade trade;
  trade.is_saved = solved.kept()[*storage];
  trade.size_bytes = solved.storage(*storage).bytes;
  trade.price_per_byte = decision.choice.decided_by<ByFrontier>()->facts.price_per_byte;
  KeptStorages kept = solved.kept();
  kept[*storage] = !trade.is_saved;
  const Outcome other = solved.in_costs(kept);
  trade.is_possible = other.feasible;
  if (!other.feasible) return trade;
  trade.bytes_change = other.bytes - original.bytes;
  trade.flops_change = solved.flops(kept) - solved.flops(solved.kept());
  trade.cost_change = other.run_cost - original.run_cost;
  trade.estimator = &solved.estimator();
  return trade;
}

FormTrade find_form_trade(const Decision& decision, const Settings& settings, NodeId value) {
  const SolvedProblem solved(decision, settings);
  const auto form = solved.storage_of(value, true), whole = solved.storage_of(value, false);
  if (!form || !whole) throw InternalError("explain: a value that is saved in fewer bits has no form");
  KeptStorages kept = solved.kept();
  kept[*form] = false;
  kept[*whole] = true;
  const Outcome original = solved.in_costs(solved.kept()), other = solved.in_costs(kept);
  return {solved.storage(*form).keep_cost, other.bytes - original.bytes, other.run_cost - original.run_cost, &solved.estimator()};
}

}  // namespace fxcut
