// The sizes of storages.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// By storage: its bytes, the largest extent, by shape and stride, of any value in it.
using StorageBytes = std::unordered_map<std::int64_t, std::int64_t>;

StorageBytes storage_bytes(const Graph& graph);

// By position among these values of the graph: the bytes that saving the value holds in addition to those before it, of
// its whole storage; 0 if one before it, or a static lifetime input, is in the same storage.
std::vector<std::int64_t> kept_bytes(const Graph& graph, const StorageBytes& storages,
                                     const std::vector<NodeId>& saved);

// The sum of these: of all storages that the values hold, each once, without those of static lifetime inputs.
std::int64_t bytes_not_static(const Graph& graph, const StorageBytes& storages, const std::vector<NodeId>& saved);

}  // namespace fxcut
