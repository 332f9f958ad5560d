#include "step/joint_of_step.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "graph/rebuild.h"
#include "step/backward_regions.h"

namespace fxcut {
namespace {

// Of the backward, what depends on it, and what runs after it, such as the optimizer: what the backward recomputes must not see
// its writes. A tuple cannot be saved: its items are of the forward, as it is.
std::vector<bool> find_dependent(const Graph& graph) {
  std::vector<bool> dependent = find_backward(graph);
  const auto last = std::find(dependent.rbegin(), dependent.rend(), true);
  const auto end = static_cast<std::size_t>(dependent.rend() - last);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (end > 0 && i >= end && graph.nodes[i].is_call()) dependent[i] = true;
    if (graph.nodes[i].calls("operator.getitem")) dependent[i] = false;
    for (const NodeId input : graph.nodes[i].inputs) {
      if (dependent[index_of(input)]) dependent[i] = true;
    }
  }
  return dependent;
}

void tag(Node& node, bool is_dependent) {
  node.meta.is_after_loss = is_dependent;
  if (is_dependent) {
    node.meta.tag = PartitionerTag::MustBeInBackward;
  } else if (node.meta.tag != PartitionerTag::MustBeInForward) {
    node.meta.tag = PartitionerTag::IsForward;
  }
}

// The output of the joint graph: the leaves that the forward computes, constants included, before the others.
void sort_outputs(JointGraph& joint, WholeStep& step, const std::vector<bool>& dependent) {
  const std::vector<OutputLeaf> leaves = output_leaves(joint.graph);
  for (const OutputLeaf& leaf : leaves) {
    step.is_backward_output.push_back(leaf.node ? dependent[index_of(*leaf.node)]
                                                : leaf.constant->kind == Argument::Kind::None);
  }
  std::vector<OutputLeaf> sorted;
  for (const bool of_backward : {false, true}) {
    joint.num_forward_outputs = sorted.size();
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (step.is_backward_output[i] == of_backward) sorted.push_back(leaves[i]);
    }
  }
  joint.graph.nodes.back() = returning(std::move(joint.graph.nodes.back()), sorted);
}

}  // namespace

JointGraph joint_of_step(JointGraph read, bool impure_random) {
  auto step = std::make_shared<WholeStep>();
  step->graph = read.graph;
  step->impure_random = impure_random;
  const std::vector<bool> dependent = find_dependent(read.graph);
  sort_outputs(read, *step, dependent);
  std::vector<NodeId> order;
  order.reserve(read.graph.size());
  const std::size_t output = read.graph.size() - 1;
  for (const bool of_backward : {false, true}) {
    for (std::size_t i = 0; i < output; ++i) {
      if (dependent[i] == of_backward) order.push_back(node_id(i));
    }
  }
  order.push_back(node_id(output));
  for (std::size_t i = 0; i < output; ++i) tag(read.graph.nodes[i], dependent[i]);
  read.graph = select_nodes(std::move(read.graph), order);
  step->is_after_loss = dependent;
  read.step = std::move(step);
  return read;
}

}  // namespace fxcut
