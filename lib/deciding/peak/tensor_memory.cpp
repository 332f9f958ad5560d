#include "peak/tensor_memory.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "memory/placement.h"

namespace fxcut {
namespace {

bool is_of_caller(const Analysis& a, std::size_t i) {
  const Node& node = a.graph().nodes[i];
  if (node.opcode == Opcode::GetAttr) return true;
  const bool comes_with_backward = a.roles.tangents_closure[i] || is_backward_seed(node) || is_backward_state(node);
  return node.is_placeholder() && !comes_with_backward;
}

}  // namespace

TensorMemory::TensorMemory(const Analysis& analysis, const StorageBytes& storages) {
  const Graph& graph = analysis.graph();
  const MergedStorages& merged = analysis.joint.merged_storages;
  const MemorySizes sizes(storages, has_device(graph));
  std::vector<Placement> placements;  // their allocations are our tensors
  placements.reserve(graph.size());
  MemoryOfStorages inputs;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    begin_.push_back(static_cast<TensorIndex>(size()));
    const auto put = [&](const Tensor& tensor, std::optional<AllocationId> shared) {
      own_bytes_.push_back(shared || is_of_caller(analysis, i) ? 0 : sizes.of(node, tensor));
      node_.push_back(node_id(i));
      shares_.push_back(shared ? static_cast<TensorIndex>(*shared) : kOwnMemory);
      return static_cast<AllocationId>(size() - 1);
    };
    placements.push_back(place_tensors(node, placements, merged, inputs, std::cref(put)));
  }
  begin_.push_back(static_cast<TensorIndex>(size()));
}

std::int64_t TensorMemory::bytes_of(NodeId node) const {
  std::int64_t bytes = 0;
  for (TensorIndex t = begin(index_of(node)); t < end(index_of(node)); ++t) {
    bytes = std::max(bytes, own_bytes(root(t)));
  }
  return bytes;
}

}  // namespace fxcut
