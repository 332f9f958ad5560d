#include "cost/storage.h"

#include <algorithm>
#include <numeric>
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

std::vector<std::int64_t> kept_bytes(const Graph& graph, const StorageBytes& storages,
                                     const std::vector<NodeId>& saved) {
  std::unordered_set<std::int64_t> counted;  // static inputs' storages are counted elsewhere
  for (const Node& node : graph.nodes) {
    if (node.meta.static_lifetime && node.has_tensor() && node.value->tensor.storage) {
      counted.insert(*node.value->tensor.storage);
    }
  }
  std::vector<std::int64_t> kept(saved.size());
  for (std::size_t i = 0; i < saved.size(); ++i) {
    const Node& node = graph[saved[i]];
    if (!node.has_tensor() || node.meta.static_lifetime) continue;
    const Tensor& tensor = node.value->tensor;
    if (!tensor.storage) {
      kept[i] = element_bytes(tensor);
    } else if (counted.insert(*tensor.storage).second) {
      kept[i] = storages.at(*tensor.storage);
    }
  }
  return kept;
}

std::int64_t bytes_not_static(const Graph& graph, const StorageBytes& storages, const std::vector<NodeId>& saved) {
  const std::vector<std::int64_t> kept = kept_bytes(graph, storages, saved);
  return std::accumulate(kept.begin(), kept.end(), std::int64_t{0});
}

}  // namespace fxcut
