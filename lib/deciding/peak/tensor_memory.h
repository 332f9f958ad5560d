// The memory of each tensor of a joint graph, which no decision changes: its own, or that of an earlier tensor
// (memory/placement.h). A recomputed call makes its memory a second time.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/analysis.h"
#include "cost/size.h"

namespace fxcut {

using TensorIndex = std::uint32_t;
inline constexpr TensorIndex kOwnMemory = 0xffffffff;

class TensorMemory {
 public:
  TensorMemory(const Analysis& analysis, const StorageBytes& storages);

  // The tensors of a node's value, in the order of its leaves: the first, and the one after the last.
  TensorIndex begin(std::size_t node) const { return begin_[node]; }
  TensorIndex end(std::size_t node) const { return begin_[node + 1]; }
  std::size_t size() const { return shares_.size(); }

  // The tensor whose memory it shares, or kOwnMemory.
  TensorIndex shares(TensorIndex tensor) const { return shares_[tensor]; }
  // The size of its own memory; 0 if it has none, or it is the caller's (parameters, inputs) or on the host.
  std::int64_t own_bytes(TensorIndex tensor) const { return own_bytes_[tensor]; }
  // The tensor that allocates its memory.
  TensorIndex root(TensorIndex tensor) const {
    while (shares_[tensor] != kOwnMemory) tensor = shares_[tensor];
    return tensor;
  }
  NodeId node(TensorIndex tensor) const { return node_[tensor]; }

  // The size of the memory of a node's value; for a tuple, of its largest tensor.
  std::int64_t bytes_of(NodeId node) const;

 private:
  std::vector<TensorIndex> begin_;  // by node; then their number
  std::vector<TensorIndex> shares_;
  std::vector<std::int64_t> own_bytes_;
  std::vector<NodeId> node_;
};

}  // namespace fxcut
