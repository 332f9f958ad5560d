// Which operators a kernel fuses.
#pragma once

#include <vector>

#include "inductor/fuse.h"

namespace fxcut {

// `graph` and `program` outlive it.
class NodesOfKernels {
 public:
  NodesOfKernels(const Graph& graph, const Kernels& program);

  // The operators whose results the kernel computes, in the graph's order: those of its parts, and those that were inlined into
  // them. Without views, unless there is nothing else.
  std::vector<NodeId> of(const FusedKernel& kernel) const;

 private:
  const Graph& graph_;
  const Kernels& program_;
  std::vector<char> is_stored_;  // by node
};

}  // namespace fxcut
