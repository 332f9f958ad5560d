// The memory of the tensors of a node's value: that of an input, or their own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cost/size.h"
#include "graph/graph.h"

namespace fxcut {

// An allocation, by its position among all.
enum class AllocationId : std::uint32_t {};

// A tensor in memory.
struct PlacedTensor {
  AllocationId allocation{0};
  std::optional<std::int64_t> storage;  // its number, if it has one
};

struct Placement {
  std::vector<PlacedTensor> tensors;      // the value's, in the order of its leaves
  std::vector<std::uint32_t> item_begin;  // by item of a tuple, the first of its tensors; then their number
  std::vector<std::uint32_t> by_storage;  // tensors with a storage, in its order; empty for a single tensor

  // The first tensor in that storage, or null.
  const PlacedTensor* find(std::int64_t storage) const;
};

bool is_cpu(const Tensor& tensor);

// Whether some tensor of the graph is not on the CPU, which then is the host.
bool has_device(const Graph& graph);

using MemoryOfStorages = std::unordered_map<std::int64_t, AllocationId>;

// Called with each tensor of a value, or of its tensor_meta, and the memory that it shares, if any; returns its allocation. Given
// by std::cref, so that there is no allocation for each node.
using PutTensor = std::function<AllocationId(const Tensor&, std::optional<AllocationId> shared)>;

// The placement of the node's value. Of a call, a copy has memory of its own; a wait returns its tensor; an item is part of its
// tuple; otherwise a tensor shares the memory of an input, or of an item before it, with the same storage number. Placeholders
// and constants may share with each other: `inputs` has those so far. `placements` are those of the nodes before this one.
Placement place_tensors(const Node& node, const std::vector<Placement>& placements, const MergedStorages& merged,
                        MemoryOfStorages& inputs, const PutTensor& put);

// The size of a tensor's own memory.
class MemorySizes {
 public:
  // `cpu_is_host`: the step runs on another device (has_device in memory/placement.h). `storages` is kept by reference.
  MemorySizes(const StorageBytes& storages, bool cpu_is_host) : storages_(storages), cpu_is_host_(cpu_is_host) {}

  // Bytes of a tensor that the node allocates: a copy has the size of its source, others the whole storage; 0 on the host.
  std::int64_t of(const Node& node, const Tensor& tensor) const;

 private:
  const StorageBytes& storages_;
  bool cpu_is_host_;
};

}  // namespace fxcut
