#include "solve/memory_budget.h"

#include <fmt/format.h>

#include "cost/estimators.h"
#include "cost/size.h"
#include "diagnostic/diagnostic.h"
#include "solve/knapsack.h"
#include "solve/knapsack_candidates.h"

namespace fxcut {
namespace {

// Sizes as PyTorch compares them: in GB, relative to what there is between the inputs and the first cut.
class Scale {
 public:
  Scale(const Analysis& analysis, const std::vector<NodeId>& first_cut)
      : analysis_(analysis), least_(gigabytes(analysis.roles.inputs)), most_(gigabytes(first_cut)) {}

  bool is_empty() const { return most_ <= least_; }
  double share(NodeId id) const { return static_cast<double>(bytes(id)) / kBytesPerGb / (most_ - least_); }
  double share_beyond_inputs(const std::vector<NodeId>& saved) const {
    return (gigabytes(saved) - least_) / (most_ - least_);
  }

 private:
  static constexpr double kBytesPerGb = 1e9;

  std::int64_t bytes(NodeId id) const {
    return size_of(analysis_.node(id), analysis_.settings, analysis_.joint.torch.release);
  }
  double gigabytes(const std::vector<NodeId>& nodes) const {
    std::int64_t sum = 0;
    for (const NodeId id : nodes) sum += bytes(id);
    return static_cast<double>(sum) / kBytesPerGb;
  }

  const Analysis& analysis_;
  double least_, most_;
};

Failure unsolvable(const Analysis& a, const std::vector<NodeId>& candidates, const KnapsackFailure& failure) {
  std::vector<std::string> names;
  for (const std::size_t item : failure.items) names.push_back(fmt::format("'{}'", a.node(candidates[item]).name));
  return Failure(ExitStatus::NoPartition,
                 fmt::format("the memory budget's solver '{}' fails: {}: {}",
                             a.settings.activation_memory_budget_solver, failure.why, list_names(names)),
                 "set activation_memory_budget_solver to another one, such as dp");
}

// What the knapsack leaves out of `candidates`, by node: it may be recomputed. The rest is saved.
std::vector<bool> left_out(const Analysis& a, double budget, const std::vector<NodeId>& candidates, const Scale& scale,
                           SavedValues& choice) {
  Knapsack knapsack{{}, estimate_runtimes(a, candidates), budget};
  for (const NodeId id : candidates) knapsack.memory.push_back(scale.share(id));
  std::vector<bool> allowed(a.graph().size(), false);
  choice.knapsack = SolvedKnapsack{candidates.size(), 0, {}};
  try {
    const std::vector<bool> saved = find_knapsack_solver(a.settings.activation_memory_budget_solver)(knapsack);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      allowed[index_of(candidates[i])] = !saved[i];
      if (saved[i]) ++choice.knapsack->saved;
      choice.knapsack->items.push_back({candidates[i], knapsack.memory[i], knapsack.runtime[i], saved[i]});
    }
  } catch (const KnapsackFailure& failure) {
    throw unsolvable(a, candidates, failure);
  }
  return allowed;
}

}  // namespace

SavedValues save_within_budget(const Analysis& a, double budget, SavedValues choice) {
  const Scale scale(a, choice.saved);
  if (scale.is_empty()) return choice;
  BanOptions options = ban_options(a.settings);
  options.used_far_apart = options.long_fusible_chains = options.materialized_in_backward = false;
  solve_cut(a, options, {}, choice);
  if (scale.share_beyond_inputs(choice.saved) < budget) return choice;
  options.not_in_allowlist = false;
  solve_cut(a, options, {}, choice);
  if (scale.share_beyond_inputs(choice.saved) < budget) return choice;

  const std::vector<NodeId> candidates = knapsack_candidates(a, choice.banned);
  if (!candidates.empty()) {
    solve_cut(a, options, left_out(a, budget, candidates, scale, choice), choice);
  } else if (!a.joint.torch.release.has(Change::NoCandidatesLeaveTheCut)) {
    choice.saved = inputs_and_tagged(a, choice.banned);
    choice.saves_inputs = true;
  }
  return choice;
}

}  // namespace fxcut
