// How much memory the storages are that values lie in.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// By storage: its bytes, which are the largest extent, by shape and stride, of any value of the graph in it.
using StorageBytes = std::unordered_map<std::int64_t, std::int64_t>;

StorageBytes storage_bytes(const Graph& graph);

// By position among these values of the graph: the bytes that saving the value keeps alive beyond those before it, its
// whole storage's; 0 where one before it lies in the same storage, or a static lifetime input does.
std::vector<std::int64_t> kept_bytes(const Graph& graph, const StorageBytes& storages,
                                     const std::vector<NodeId>& saved);

// The sum of these: of all storages that the values keep alive, each once, those of static lifetime inputs left out.
std::int64_t bytes_not_static(const Graph& graph, const StorageBytes& storages, const std::vector<NodeId>& saved);

}  // namespace fxcut
