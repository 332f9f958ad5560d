// Taking one side out of a joint graph.
//
// What goes in: the nodes that the new graph receives as placeholders, and the leaves that it returns. A walk in
// execution order takes along each call whose inputs are all at hand; what depends on a placeholder that was not given is
// invalid and stays out. Then what nobody uses and has no side effect goes. Both are decided on the joint graph before any
// node is copied, since some callers only ask what would stay.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

enum class Side { Forward, Backward };

// Which nodes of the joint graph make up a side.
struct ExtractionPlan {
  std::vector<NodeId> inputs;       // become placeholders, in this order
  std::vector<NodeId> computed;     // can be computed there, in execution order; dead ones included
  std::vector<bool> stays;          // by joint node: an input, or computed and not dead
  std::vector<bool> is_input;       // by joint node
  std::vector<OutputLeaf> outputs;  // what the side returns; may stand for what it was asked for

  // Whether the side computes the node itself.
  bool computes(NodeId id) const { return stays[index_of(id)] && !is_input[index_of(id)]; }
};

// PyTorch's _extract_graph_with_inputs_outputs. A mutable operator runs on the side where it must. A forward output that
// only the backward can compute is replaced by the input that it is a new version of (a copy_, or what a Triton kernel
// wrote); where there is none, throws Failure (NoPartition) naming the node and the first one that it lacks.
ExtractionPlan plan_extraction(const Graph& joint, std::vector<NodeId> inputs, const std::vector<OutputLeaf>& outputs,
                               Side side);

// The side as a graph of its own. Placeholders are named after the nodes that they carry.
Graph extract_graph(const Graph& joint, const ExtractionPlan& plan);

// Every node whose name the side has used in PyTorch, dead ones included, in the order of copying: torch.fx gives none of
// these names to another node.
std::vector<NodeId> copied_nodes(const Graph& joint, const ExtractionPlan& plan);

}  // namespace fxcut
