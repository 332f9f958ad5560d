// Calls that are never merged as common subexpressions, whatever their arguments.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

class MergeableCalls {
 public:
  explicit MergeableCalls(const JointGraph& joint);

  // Whether the node at `position` may be merged with an equal one.
  bool contains(const Node& node, std::size_t position) const;

  // Calls of different kinds are not merged.
  bool kind(std::size_t position) const { return !needed_by_backward_.empty() && needed_by_backward_[position]; }

 private:
  std::unordered_set<std::int64_t> output_storages_;
  bool spares_impure_;
  std::vector<bool> mutation_bases_, needed_by_backward_;  // by node; empty if the release does not use it
};

}  // namespace fxcut
