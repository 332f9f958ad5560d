// Where each tensor of a joint graph lies, as far as that is the same whatever is decided: in memory of its own, or in that
// of a tensor that comes before it (memory/placement.h). A call that runs again has memory of its own again.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/analysis.h"
#include "cost/storage.h"

namespace fxcut {

using TensorIndex = std::uint32_t;
inline constexpr TensorIndex kOwnMemory = 0xffffffff;

class TensorPlaces {
 public:
  TensorPlaces(const Analysis& analysis, const StorageBytes& storages);

  // The tensors of a node's value, in the order of its leaves: first, and behind the last.
  TensorIndex begin(std::size_t node) const { return begin_[node]; }
  TensorIndex end(std::size_t node) const { return begin_[node + 1]; }
  std::size_t size() const { return lies_in_.size(); }

  // The tensor whose memory it lies in, or kOwnMemory.
  TensorIndex lies_in(TensorIndex tensor) const { return lies_in_[tensor]; }
  // What its own memory takes; 0 where it has none, it is the caller's (parameters, inputs), or it is on the host.
  std::int64_t own_bytes(TensorIndex tensor) const { return own_bytes_[tensor]; }
  NodeId node(TensorIndex tensor) const { return node_[tensor]; }

  // What the memory takes that a node's value lies in, of a tuple's the largest.
  std::int64_t bytes_of(NodeId node) const;

 private:
  std::vector<TensorIndex> begin_;  // by node; then their number
  std::vector<TensorIndex> lies_in_;
  std::vector<std::int64_t> own_bytes_;
  std::vector<NodeId> node_;
};

}  // namespace fxcut
