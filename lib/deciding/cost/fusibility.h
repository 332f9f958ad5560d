// Whether a compiler can run two operators as one kernel, so that the value between them is never in memory.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "graph/graph.h"

namespace fxcut {

class Fusibility {
 public:
  explicit Fusibility(const Graph& graph);  // which must outlive this

  // Whether `user`, a user of `producer`, fuses with it (PyTorch's is_fusible in solve_min_cut): both are of the
  // fusible class; or the user is a cat; or it is a wrapped mutation that clones this value. A Triton kernel's results
  // fuse with nothing.
  bool operator()(NodeId producer, NodeId user) const;

 private:
  const Graph& graph_;
  std::unordered_map<NodeId, std::unordered_set<NodeId>> cloned_;  // by wrapped mutation
};

}  // namespace fxcut
