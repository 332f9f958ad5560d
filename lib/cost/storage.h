// How much memory the storages are that values lie in.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "graph/graph.h"

namespace fxcut {

// By storage: its bytes, which are the largest extent, by shape and stride, of any value of the graph in it.
using StorageBytes = std::unordered_map<std::int64_t, std::int64_t>;

StorageBytes storage_bytes(const Graph& graph);

}  // namespace fxcut
