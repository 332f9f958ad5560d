#include "solve/knapsack_candidates.h"

#include <algorithm>
#include <set>

#include "cost/bans.h"
#include "cost/size.h"
#include "extract/roles.h"

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

}  // namespace

std::vector<NodeId> knapsack_candidates(const Analysis& a, const std::vector<NodeId>& banned) {
  const InputMemory inputs(a);
  const auto bytes = [&](NodeId id) { return size_of(a.node(id), a.settings, a.joint.torch.release); };
  std::vector<NodeId> candidates;
  for (const NodeId id : banned) {
    if (is_recomputable_after_all(a, id, inputs) && !is_tagged_to_be_saved(a, id)) candidates.push_back(id);
  }
  std::stable_sort(candidates.begin(), candidates.end(), [&](NodeId x, NodeId y) { return bytes(x) > bytes(y); });
  return candidates;
}

std::vector<NodeId> inputs_and_tagged(const Analysis& a, const std::vector<NodeId>& banned) {
  std::vector<NodeId> saved = a.roles.inputs;
  const InputMemory inputs(a);
  for (const NodeId id : banned) {
    if (is_recomputable_after_all(a, id, inputs) && is_tagged_to_be_saved(a, id)) saved.push_back(id);
  }
  return saved;
}

}  // namespace fxcut
