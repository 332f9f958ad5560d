#include "solve/memory_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "cost/analysis.h"
#include "cost/bans.h"
#include "cost/estimators.h"
#include "cost/size.h"
#include "diagnostic/diagnostic.h"
#include "extract/roles.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

// The inputs' memory. Non-tensors have no storage; for PyTorch all of them share one place.
class InputMemory {
 public:
  explicit InputMemory(const Analysis& a) {
    for (const NodeId input : a.roles.inputs) {
      const Node& node = a.node(input);
      if (!node.has_tensor()) some_input_has_none_ = true;
      if (node.has_tensor() && node.value->tensor.storage) storages_.insert(*node.value->tensor.storage);
    }
  }
  // A value without a storage number has memory of its own.
  bool holds(const Node& node) const {
    if (!node.has_tensor()) return some_input_has_none_;
    return node.is_placeholder() || (node.value->tensor.storage && storages_.contains(*node.value->tensor.storage));
  }

 private:
  bool some_input_has_none_ = false;
  std::set<std::int64_t> storages_;
};

// Whether the backward needs the banned node and no input shares its memory.
bool is_recomputable_after_all(const Analysis& a, NodeId id, const InputMemory& inputs) {
  const Node& node = a.node(id);
  return a.distance[index_of(id)] < kFarFromBackward && (!inputs.holds(node) || is_non_builtin_to_include(a, node));
}

bool is_tagged_to_be_saved(const Analysis& a, NodeId id) {
  return a.node(id).meta.recompute == CheckpointPolicy::MustSave;
}

// The banned nodes that may be recomputed nevertheless: the backward needs them, no input shares their memory, and they
// are not tagged MUST_SAVE, if the release heeds that. The largest first, equals in the order of their bans, or by name.
// PyTorch 2.4 and 2.5 take equals by their addresses, which differ from run to run.
std::vector<NodeId> knapsack_candidates(const Analysis& a, const std::vector<NodeId>& banned) {
  const InputMemory inputs(a);
  const Release release = a.joint.torch.release;
  const auto bytes = [&](NodeId id) { return size_of(a.node(id), a.settings, release); };
  std::vector<NodeId> candidates;
  for (const NodeId id : banned) {
    const bool is_kept = is_tagged_to_be_saved(a, id) && release.has(Change::MustSaveIsNoCandidate);
    if (is_recomputable_after_all(a, id, inputs) && !is_kept) candidates.push_back(id);
  }
  if (!release.has(Change::CandidatesByBan)) std::ranges::sort(candidates, {}, [&](NodeId id) { return a.node(id).name; });
  std::stable_sort(candidates.begin(), candidates.end(), [&](NodeId x, NodeId y) { return bytes(x) > bytes(y); });
  return candidates;
}

// The saved values of older releases if there is no candidate: all inputs, and nodes that only MUST_SAVE keeps from being
// candidates.
std::vector<NodeId> inputs_and_tagged(const Analysis& a, const std::vector<NodeId>& banned) {
  std::vector<NodeId> saved = a.roles.inputs;
  if (!a.joint.torch.release.has(Change::MustSaveIsNoCandidate)) return saved;
  const InputMemory inputs(a);
  for (const NodeId id : banned) {
    if (is_recomputable_after_all(a, id, inputs) && is_tagged_to_be_saved(a, id)) saved.push_back(id);
  }
  return saved;
}

// Sizes as PyTorch compares them: in GB, relative to the range from the inputs to the first cut.
class Scale {
 public:
  Scale(const Analysis& analysis, const std::vector<NodeId>& first_cut)
      : analysis_(analysis), least_(gigabytes(analysis.roles.inputs)), most_(gigabytes(first_cut)) {}

  bool is_empty() const { return most_ <= least_; }
  double share(NodeId id) const { return static_cast<double>(bytes(id)) / kBytesPerGb / (most_ - least_); }
  double share_above_inputs(const std::vector<NodeId>& saved) const {
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
                             budget_solver_of(a.settings).name, failure.why, list_names(names)),
                 "set activation_memory_budget_solver to another one, such as dp");
}

void require_solver(const Analysis& a) {
  const BudgetSolver& solver = budget_solver_of(a.settings);
  if (!solver.since || a.joint.torch.release.has(*solver.since)) return;
  throw Failure(ExitStatus::NoPartition,
                fmt::format("PyTorch {} has no memory budget solver '{}'", a.joint.torch.release.version(), solver.name),
                "set activation_memory_budget_solver to another one, such as dp");
}

// The candidates, and whether the settings' solver saves each.
std::vector<KnapsackItem> solve_knapsack(const Analysis& a, double budget, const std::vector<NodeId>& candidates,
                                         const Scale& scale) {
  require_solver(a);
  Knapsack knapsack{{}, estimate_runtimes(a, candidates), budget, !a.joint.torch.release.has(Change::KneeByLinspace)};
  for (const NodeId id : candidates) knapsack.memory.push_back(scale.share(id));
  std::vector<KnapsackItem> items;
  try {
    const std::vector<bool> saved = budget_solver_of(a.settings).knapsack(knapsack);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      items.push_back({candidates[i], knapsack.memory[i], knapsack.runtime[i], saved[i]});
    }
  } catch (const KnapsackFailure& failure) {
    throw unsolvable(a, candidates, failure);
  }
  return items;
}

// For each node, whether it is a candidate that is not saved, so that it may be recomputed.
std::vector<bool> left_out(const std::vector<KnapsackItem>& items, std::size_t nodes) {
  std::vector<bool> allowed(nodes, false);
  for (const KnapsackItem& item : items) allowed[index_of(item.node)] = !item.is_saved;
  return allowed;
}

}  // namespace

BanOptions ban_options_of_round(const Settings& settings, std::size_t round) {
  BanOptions options = ban_options(settings);
  if (round >= 1) options.used_far_apart = options.long_fusible_chains = options.materialized_in_backward = false;
  if (round >= 2) options.not_in_allowlist = false;
  return options;
}

SavedValues save_within_budget(const Analysis& a, double budget, CutAnswer answer) {
  const Scale scale(a, answer.saved);
  Solved solved{{answer.cut}, {}};
  const auto cut_again = [&](std::size_t round, const std::vector<bool>& allowed) {
    answer = solve_cut(a, ban_options_of_round(a.settings, round), allowed);
    solved.cuts.push_back(answer.cut);
  };
  const auto decided_by_cut = [&]() -> SavedValues {
    return {.by = ByMinCut{std::move(solved), std::move(answer.nodes)}, .saved = std::move(answer.saved), .budget = budget};
  };
  if (scale.is_empty()) return decided_by_cut();
  for (std::size_t round = 1; round < kBanRounds; ++round) {
    cut_again(round, {});
    if (scale.share_above_inputs(answer.saved) < budget) return decided_by_cut();
  }
  const std::vector<NodeId> candidates = knapsack_candidates(a, answer.banned);
  if (candidates.empty() && !a.joint.torch.release.has(Change::NoCandidatesLeaveTheCut)) {
    return {.by = ByLackOfCandidates{std::move(solved), std::move(answer.nodes)},
            .saved = inputs_and_tagged(a, answer.banned),
            .budget = budget};
  }
  if (!candidates.empty()) {
    solved.knapsack = solve_knapsack(a, budget, candidates, scale);
    cut_again(kBanRounds - 1, left_out(solved.knapsack, a.graph().size()));
  }
  return decided_by_cut();
}

}  // namespace fxcut
