// The operators that a kernel fuses.
#pragma once

#include <vector>

#include "inductor/fuse.h"

namespace fxcut {

// `graph` and `program` outlive it.
class NodesOfKernels {
 public:
  NodesOfKernels(const Graph& graph, const Kernels& program);

  // The operators that the kernel computes, in the graph's order: those of its parts and those inlined into them; views only if
  // there is nothing else.
  std::vector<NodeId> of(const FusedKernel& kernel) const;

 private:
  const Graph& graph_;
  const Kernels& program_;
  std::vector<char> is_stored_;  // by node
};

}  // namespace fxcut
