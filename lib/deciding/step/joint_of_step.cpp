#include "step/joint_of_step.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "graph/rebuild.h"
#include "step/forward_ends.h"
#include "step/late_calls.h"
#include "step/step_phases.h"

namespace fxcut {
namespace {

void tag(Node& node) {
  if (node.meta.is_after_loss()) {
    node.meta.tag = PartitionerTag::MustBeInBackward;
  } else if (node.meta.tag != PartitionerTag::MustBeInForward) {
    node.meta.tag = PartitionerTag::IsForward;
  }
}

// Marks phases, and the optimizer's states as always resident, like parameters.
void mark_phases(Graph& step) {
  const std::vector<StepPhase> phases = find_phases(step);
  for (std::size_t i = 0; i < step.size(); ++i) step.nodes[i].meta.phase = phases[i];
  for (const NodeId id : find_optimizer_states(step, phases)) step[id].meta.static_lifetime = true;
}

// The output of the joint graph: the leaves that the forward computes, constants included, and the ends of the forward that the
// step does not return, before the others.
void sort_outputs(JointGraph& joint, WholeStep& step) {
  const std::vector<OutputLeaf> leaves = output_leaves(joint.graph);
  for (const OutputLeaf& leaf : leaves) {
    step.is_backward_output.push_back(leaf.node ? joint.graph[*leaf.node].meta.is_after_loss()
                                                : leaf.constant->kind == Argument::Kind::None);
  }
  std::vector<OutputLeaf> sorted;
  for (const bool of_backward : {false, true}) {
    if (of_backward) {
      for (const NodeId end : find_unreturned_ends(joint.graph)) sorted.push_back({end, nullptr});
    }
    joint.num_forward_outputs = sorted.size();
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (step.is_backward_output[i] == of_backward) sorted.push_back(leaves[i]);
    }
  }
  joint.graph.nodes.back() = returning(std::move(joint.graph.nodes.back()), sorted);
}

}  // namespace

JointGraph joint_of_step(JointGraph read, bool impure_random) {
  mark_phases(read.graph);
  auto step = std::make_shared<WholeStep>();
  step->graph = read.graph;
  step->impure_random = impure_random;
  sort_outputs(read, *step);
  std::vector<NodeId> order = order_with_late_calls(read.graph);
  const auto output = order.end() - 1;
  std::stable_partition(order.begin(), output, [&](NodeId id) { return !read.graph[id].meta.is_after_loss(); });
  for (auto id = order.begin(); id != output; ++id) tag(read.graph[*id]);
  read.graph = select_nodes(std::move(read.graph), order);
  read.step = std::move(step);
  return read;
}

}  // namespace fxcut
