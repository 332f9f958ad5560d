// Which memory the tensors of a node's value lie in: that of an input, or their own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// An allocation, by its position among all.
enum class AllocationId : std::uint32_t {};

// A tensor that somebody holds.
struct PlacedTensor {
  AllocationId allocation{0};
  std::optional<std::int64_t> storage;  // its number, if it has one
};

struct Placement {
  std::vector<PlacedTensor> tensors;      // the value's, in the order of its leaves
  std::vector<std::uint32_t> item_begin;  // by item of a tuple, the first of its tensors; then their number
  std::vector<std::uint32_t> by_storage;  // of several tensors those that have a storage, in its order; of one nothing

  // Makes by_storage of tensors.
  void sort_by_storage();
  // The first tensor in that storage, or null.
  const PlacedTensor* find(std::int64_t storage) const;
};

bool is_cpu(const Tensor& tensor);

// Whether some tensor of the graph does not lie on the CPU, which then is a host.
bool has_device(const Graph& graph);

// The tensors of a node's value, or of what is known of it, in the order of its leaves.
std::vector<const Tensor*> tensors_of(const Node& node);

// By item of the node's tuple, and behind the last, which of tensors_of is its first; empty for other values.
std::vector<std::uint32_t> item_begin_of(const Node& node);

// The number of a tensor's storage, or of the one that has taken its place.
std::optional<std::int64_t> storage_of(const Tensor& tensor, const MergedStorages& merged);

// Where a call puts a tensor: in an allocation that an input has, or, without one, in memory of its own.
struct ChosenMemory {
  std::optional<AllocationId> shared;
  std::optional<std::int64_t> storage;  // its number; where it has none, that of what it shares or copies
};

// For each of `tensors`, which are those of the call's value. A copy has memory of its own; what waits for a tensor is
// that tensor; an item is what the tuple holds; else a tensor shares the memory of an input that has the same storage.
// `placements` are those of the nodes before it.
std::vector<ChosenMemory> choose_memory(const Node& call, const std::vector<const Tensor*>& tensors,
                                        const std::vector<Placement>& placements, const MergedStorages& merged);

}  // namespace fxcut
