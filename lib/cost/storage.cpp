#include "cost/storage.h"

#include <algorithm>
#include <unordered_set>

namespace fxcut {
namespace {

void add_extents(const Value& value, StorageBytes& storages) {
  if (value.is_tensor() && value.tensor.storage) {
    std::int64_t& bytes = storages[*value.tensor.storage];
    bytes = std::max(bytes, extent_bytes(value.tensor));
  }
  for (const Value& item : value.items) add_extents(item, storages);
}

}  // namespace

StorageBytes storage_bytes(const Graph& graph) {
  StorageBytes storages;
  for (const Node& node : graph.nodes) {
    if (node.value) add_extents(*node.value, storages);
  }
  return storages;
}

std::int64_t bytes_not_static(const Graph& graph, const StorageBytes& storages, const std::vector<NodeId>& saved) {
  std::unordered_set<std::int64_t> counted;  // static inputs' storages are counted elsewhere
  for (const Node& node : graph.nodes) {
    if (node.meta.static_lifetime && node.has_tensor() && node.value->tensor.storage) {
      counted.insert(*node.value->tensor.storage);
    }
  }
  std::int64_t bytes = 0;
  for (const NodeId id : saved) {
    const Node& node = graph[id];
    if (!node.has_tensor() || node.meta.static_lifetime) continue;
    const Tensor& tensor = node.value->tensor;
    if (!tensor.storage) {
      bytes += element_bytes(tensor);
    } else if (counted.insert(*tensor.storage).second) {
      bytes += storages.at(*tensor.storage);
    }
  }
  return bytes;
}

}  // namespace fxcut
