// The least memory that values take in the code that inductor compiles, whatever is decided and fused.
//
// A value in memory has a buffer of its own, in whole blocks of the device's allocator. Exceptions are views, copies that may be
// removed, and results that may be written over their operands: these share a buffer, which is counted once. A term of a
// concatenation may be a slice of it: then only the concatenation's remaining bytes are counted. Inputs of the step belong to its
// caller.
//
// While the backward runs, the prediction frees each saved storage separately, even if it shares a buffer
// (inductor/plan_buffers.h), so nothing may be left of several storages in one buffer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cost/analysis.h"
#include "frontier/recompute_problem.h"

namespace fxcut {

class CertainBuffers {
 public:
  CertainBuffers(const Analysis& analysis, const RecomputeProblem& problem);

  // By storage: the least bytes that it adds to all others while any of its values is in memory, after the forward and during
  // the backward.
  const std::vector<std::int64_t>& between() const { return between_; }
  const std::vector<std::int64_t>& in_backward() const { return in_backward_; }

  // The least bytes of these nodes' values while they are in memory at once; inputs of the step and nodes without a tensor take
  // none, and a tuple that a library returns counts with all its tensors.
  std::int64_t of_nodes(std::span<const NodeId> nodes) const;

  // The node that represents all nodes that may share this one's memory.
  std::size_t memory_of(NodeId node) const { return memory_[index_of(node)]; }

 private:
  void find_bytes(const Graph& graph);
  void share_concatenations(const RecomputeProblem& problem);
  void find_of_storages(const RecomputeProblem& problem);
  std::int64_t taken(std::int64_t bytes) const;

  const Graph& graph_;
  bool in_blocks_ = false;
  std::vector<std::size_t> memory_;      // by node: the one that stands for all whose memory may be this one's
  std::vector<std::int64_t> bytes_;      // by node that stands for others: the least of their tensors; 0 for inputs
  // By the same: the bytes of a concatenation's terms that may be slices of it, of all terms and of those that may be saved so.
  std::vector<std::int64_t> in_terms_, in_saved_terms_;
  std::vector<bool> is_shared_;          // by the same: whether it may be saved in one buffer with others
  std::vector<std::int64_t> between_, in_backward_;
};

}  // namespace fxcut
