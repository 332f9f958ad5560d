#include "peak/tensor_places.h"

#include <algorithm>
#include <unordered_map>

#include "memory/placement.h"

namespace fxcut {
namespace {

using ByStorage = std::unordered_map<std::int64_t, TensorIndex>;

bool is_of_caller(const Analysis& a, std::size_t i) {
  const Node& node = a.graph().nodes[i];
  if (node.opcode == Opcode::GetAttr) return true;
  const bool comes_with_backward = a.roles.tangents_closure[i] || is_backward_seed(node) || is_backward_state(node);
  return node.is_placeholder() && !comes_with_backward;
}

}  // namespace

TensorPlaces::TensorPlaces(const Analysis& analysis, const StorageBytes& storages) {
  const Graph& graph = analysis.graph();
  const MergedStorages& merged = analysis.joint.merged_storages;
  const MemorySizes sizes(storages, has_device(graph));
  std::vector<Placement> placements;  // their allocations are our tensors
  placements.reserve(graph.size());
  ByStorage inputs;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    begin_.push_back(static_cast<TensorIndex>(size()));
    const std::vector<const Tensor*> tensors = tensors_of(node);
    std::vector<ChosenMemory> choices;
    if (node.is_call()) choices = choose_memory(node, tensors, placements, merged);
    ByStorage made;  // items of a tuple may also share memory
    Placement placement;
    placement.item_begin = item_begin_of(node);
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      const auto tensor = static_cast<TensorIndex>(size());
      const auto storage = node.is_call() ? choices[t].storage : storage_of(*tensors[t], merged);
      TensorIndex in = kOwnMemory;
      if (node.is_call() && choices[t].shared) {
        in = static_cast<TensorIndex>(*choices[t].shared);
      } else if (storage) {
        const auto [known, is_new] = (node.is_call() ? made : inputs).emplace(*storage, tensor);
        if (!is_new) in = known->second;
      }
      shares_.push_back(in);
      own_bytes_.push_back(in == kOwnMemory && !is_of_caller(analysis, i) ? sizes.of(node, *tensors[t]) : 0);
      node_.push_back(node_id(i));
      placement.tensors.push_back({AllocationId{tensor}, storage});
    }
    placement.sort_by_storage();
    placements.push_back(std::move(placement));
  }
  begin_.push_back(static_cast<TensorIndex>(size()));
}

std::int64_t TensorPlaces::bytes_of(NodeId node) const {
  std::int64_t bytes = 0;
  for (TensorIndex t = begin(index_of(node)); t < end(index_of(node)); ++t) {
    bytes = std::max(bytes, own_bytes(root(t)));
  }
  return bytes;
}

}  // namespace fxcut
