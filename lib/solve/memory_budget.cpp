#include "solve/memory_budget.h"

#include <algorithm>
#include <set>

#include "classify/roles.h"
#include "cost/flops.h"
#include "cost/size.h"
#include "solve/knapsack.h"

namespace fxcut {
namespace {

// Sizes as PyTorch compares them: in GB, relative to what there is between the inputs and the first cut.
class Scale {
 public:
  Scale(const Analysis& analysis, const std::vector<NodeId>& first_cut)
      : analysis_(analysis), least_(gigabytes(analysis.roles.inputs)), most_(gigabytes(first_cut)) {}

  bool is_empty() const { return most_ <= least_; }
  double share(std::int64_t bytes) const { return static_cast<double>(bytes) / kBytesPerGb / (most_ - least_); }
  double share_beyond_inputs(const std::vector<NodeId>& saved) const {
    return (gigabytes(saved) - least_) / (most_ - least_);
  }
  std::int64_t bytes(NodeId id) const {
    return size_of(analysis_.node(id), analysis_.settings, analysis_.joint.torch.release);
  }

 private:
  static constexpr double kBytesPerGb = 1e9;

  double gigabytes(const std::vector<NodeId>& nodes) const {
    std::int64_t sum = 0;
    for (const NodeId id : nodes) sum += bytes(id);
    return static_cast<double>(sum) / kBytesPerGb;
  }

  const Analysis& analysis_;
  double least_, most_;
};

// What can be recomputed after all: banned, needed by the backward, and in no input's memory. The largest first.
std::vector<NodeId> recomputable_after_all(const Analysis& a, const std::vector<NodeId>& banned, const Scale& scale) {
  // What is no tensor has no storage, and to PyTorch all these are in one place.
  bool some_input_has_none = false;
  std::set<std::int64_t> input_storages;
  for (const NodeId input : a.roles.inputs) {
    const Node& node = a.node(input);
    if (!node.has_tensor()) some_input_has_none = true;
    if (node.has_tensor() && node.value->tensor.storage) input_storages.insert(*node.value->tensor.storage);
  }
  const auto is_in_an_input = [&](const Node& node) {
    if (!node.has_tensor()) return some_input_has_none;
    return node.value->tensor.storage && input_storages.contains(*node.value->tensor.storage);
  };
  std::vector<NodeId> candidates;
  for (const NodeId id : banned) {
    const Node& node = a.node(id);
    const bool lies_elsewhere = !is_in_an_input(node) || is_non_builtin_to_include(a, node);
    const bool is_tagged = node.meta.recompute == CheckpointPolicy::MustSave;
    if (a.distance[index_of(id)] < kFarFromBackward && lies_elsewhere && !is_tagged) candidates.push_back(id);
  }
  std::stable_sort(candidates.begin(), candidates.end(), [&](NodeId x, NodeId y) { return scale.bytes(x) > scale.bytes(y); });
  return candidates;
}

double estimate_runtime(const Analysis& a, NodeId id) {
  if (a.settings.activation_memory_budget_runtime_estimator == "testing") return 1;
  return static_cast<double>(estimate_flops(a.graph(), a.node(id), a.joint.torch.release));
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

  const std::vector<NodeId> candidates = recomputable_after_all(a, choice.banned, scale);
  if (candidates.empty()) return choice;
  std::vector<double> memory, runtime;
  for (const NodeId id : candidates) {
    memory.push_back(scale.share(scale.bytes(id)));
    runtime.push_back(estimate_runtime(a, id));
  }
  const std::vector<bool> saved = dp_knapsack(memory, runtime, budget);
  std::vector<bool> allowed(a.graph().size(), false);
  for (std::size_t i = 0; i < candidates.size(); ++i) allowed[index_of(candidates[i])] = !saved[i];
  solve_cut(a, options, allowed, choice);
  return choice;
}

}  // namespace fxcut
