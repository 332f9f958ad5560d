#include "cost/storage.h"

#include <algorithm>

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

}  // namespace fxcut
