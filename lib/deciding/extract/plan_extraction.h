// The nodes of one side of a joint graph.
//
// Given are the nodes that the new graph has as placeholders, and the leaves that it returns. A pass in execution order
// includes each call whose inputs are all available; nodes that depend on another placeholder are invalid and stay out.
// Then nodes without users and side effects are dropped. Both are decided on the joint graph before any node is copied,
// since some callers only need the plan.
#pragma once

#include <map>
#include <vector>

#include "extract/control_deps.h"
#include "graph/graph.h"

namespace fxcut {

// The two parts of a backward have whatever they need: the tags of nodes do not matter (PyTorch's ignore_must_be_in_fw_bw). The
// first, for the gradients of inputs, has all effects, the second none.
enum class Side { Forward, Backward, BackwardInput, BackwardWeight };

// The nodes of the joint graph on one side.
struct ExtractionPlan {
  std::vector<NodeId> inputs;       // become placeholders, in this order
  std::vector<NodeId> computed;     // computable on this side, in execution order; dead ones included
  std::vector<bool> stays;          // by joint node: an input, or computed and not dead
  std::vector<bool> is_input;       // by joint node
  std::vector<OutputLeaf> outputs;  // the side's outputs; may be replacements of the requested ones
  std::map<NodeId, RebuiltControlDeps> rebuilt;  // calls that are different on this side
  std::map<NodeId, NodeId> replaced_items;         // items of left-out calls: their replacements

  // Whether the side computes the node itself.
  bool computes(NodeId id) const { return stays[index_of(id)] && !is_input[index_of(id)]; }

  // Calls `visit` with each input of a computed node on this side.
  template <typename Visit>
  void for_each_input(const Graph& joint, NodeId id, const Visit& visit) const {
    const auto call = rebuilt.empty() ? rebuilt.end() : rebuilt.find(id);
    for (const NodeId input : call == rebuilt.end() ? joint[id].inputs : call->second.inputs) visit(value_of(input));
  }

  // The node itself or its replacement on this side.
  NodeId value_of(NodeId id) const {
    const auto found = replaced_items.empty() ? replaced_items.end() : replaced_items.find(id);
    return found == replaced_items.end() ? id : found->second;
  }
};

// PyTorch's _extract_graph_with_inputs_outputs. A mutable operator runs on the side where it must. A forward output
// that only the backward can compute is replaced by the input that it is a new version of (a copy_, or the result of a
// Triton kernel); without one, throws Failure (NoPartition) naming the node and the first missing one. control_deps
// over missing values is rebuilt over the others; calls that synchronise streams in the forward are left out of the
// backward (in releases that do so).
ExtractionPlan plan_extraction(const JointGraph& joint, std::vector<NodeId> inputs,
                               const std::vector<OutputLeaf>& outputs, Side side);

}  // namespace fxcut
