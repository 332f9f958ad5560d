// What one side of a joint graph consists of.
//
// What goes in: the nodes that the new graph receives as placeholders, and the leaves that it returns. A walk in
// execution order takes along each call whose inputs are all at hand; what depends on a placeholder that was not given
// is invalid and stays out. Then what nobody uses and has no side effect goes. Both are decided on the joint graph
// before any node is copied, since some callers only ask what would stay.
#pragma once

#include <map>
#include <vector>

#include "extract/control_deps.h"
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
  std::map<NodeId, RebuiltControlDeps> rebuilt;  // calls that the side has in a form of their own
  std::map<NodeId, NodeId> seen_through;         // items of calls that it does without: what they stand for

  // Whether the side computes the node itself.
  bool computes(NodeId id) const { return stays[index_of(id)] && !is_input[index_of(id)]; }

  // Calls `visit` on each node that a computed node takes on this side.
  template <typename Visit>
  void for_each_input(const Graph& joint, NodeId id, const Visit& visit) const {
    const auto call = rebuilt.empty() ? rebuilt.end() : rebuilt.find(id);
    for (const NodeId input : call == rebuilt.end() ? joint[id].inputs : call->second.inputs) visit(value_of(input));
  }

  // What stands for a node on this side.
  NodeId value_of(NodeId id) const {
    const auto found = seen_through.empty() ? seen_through.end() : seen_through.find(id);
    return found == seen_through.end() ? id : found->second;
  }
};

// PyTorch's _extract_graph_with_inputs_outputs. A mutable operator runs on the side where it must. A forward output
// that only the backward can compute is replaced by the input that it is a new version of (a copy_, or what a Triton
// kernel wrote); where there is none, throws Failure (NoPartition) naming the node and the first one that it lacks.
// control_deps over values that the side lacks is rebuilt over the others; what synchronises streams in the forward is
// left out of the backward (in releases that do so).
ExtractionPlan plan_extraction(const JointGraph& joint, std::vector<NodeId> inputs,
                               const std::vector<OutputLeaf>& outputs, Side side);

}  // namespace fxcut
