// Taking one side out of a joint graph.
//
// What goes in: the nodes that the new graph receives as placeholders, and the leaves that it returns. A walk in
// execution order copies each call whose inputs are all at hand; what depends on a placeholder that was not given is
// invalid and stays out. Then dead code goes.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "graph/rebuild.h"

namespace fxcut {

enum class Side { Forward, Backward };

struct Extracted {
  Graph graph;
  // Every node of the joint graph that was copied on the way, those that dead code elimination took out again included,
  // in the order of copying. torch.fx gives none of their names to another node.
  std::vector<NodeId> copied;
};

// PyTorch's _extract_graph_with_inputs_outputs. Placeholders are named after the nodes that they carry. A mutable operator
// runs on the side where it must. A forward output that only the backward can compute is replaced by the input that it
// is a new version of (a copy_, or what a Triton kernel wrote); where there is none, throws Failure (NoPartition) naming
// the node and the first placeholder that it depends on.
Extracted extract_graph(const Graph& joint, const std::vector<NodeId>& inputs, const std::vector<OutputLeaf>& outputs,
                        Side side);

}  // namespace fxcut
