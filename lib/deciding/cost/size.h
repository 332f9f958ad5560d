// The sizes of values and of storages.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// The bytes of the value's tensors, sizes by their hints; 1 for a symbolic number; 0 for operators that return nothing
// (PyTorch's _size_of). nullopt if PyTorch has no size: for a value without a description, None, a number, the backward
// state, and a script object unless unsafe_treat_script_objects_as_zero_size is set.
std::optional<std::int64_t> find_size(const Node& node, const Settings& settings);

// As above, and 0 for a device in releases that count it; throws Failure (NoPartition) naming the node without a size.
std::int64_t size_of(const Node& node, const Settings& settings, Release release);

// For each storage: its bytes, the largest extent, by shape and stride, of any value in it.
using StorageBytes = std::unordered_map<std::int64_t, std::int64_t>;

StorageBytes storage_bytes(const Graph& graph);

// For each of these values, the bytes of its whole storage, which saving it holds in addition to those before it; 0 if one before
// it, or a static lifetime input, is in the same storage.
std::vector<std::int64_t> kept_bytes(const Graph& graph, const StorageBytes& storages,
                                     const std::vector<NodeId>& saved);

// The sum of these: of all storages that the values hold, each once, without those of static lifetime inputs.
std::int64_t bytes_not_static(const Graph& graph, const StorageBytes& storages, const std::vector<NodeId>& saved);

}  // namespace fxcut
