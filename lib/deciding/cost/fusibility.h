// Whether a compiler can run two operators as one kernel, so that the value between them is never in memory.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "graph/graph.h"
#include "release/release.h"

namespace fxcut {

class Fusibility {
 public:
  explicit Fusibility(const Graph& graph, Release release = kNewestRelease);  // the graph must outlive this

  // Whether `user`, a user of `producer`, fuses with it (PyTorch's is_fusible in solve_min_cut): both are of the
  // fusible class; or the user is a cat; or it is a wrapped mutation that clones this value, in releases that heed that. A
  // Triton kernel's results fuse with nothing, in newer releases.
  bool operator()(NodeId producer, NodeId user) const;

 private:
  const Graph& graph_;
  bool triton_results_fuse_;
  std::unordered_map<NodeId, std::unordered_set<NodeId>> cloned_;  // by wrapped mutation
};

}  // namespace fxcut
