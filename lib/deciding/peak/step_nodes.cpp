#include "peak/step_nodes.h"

#include <algorithm>
#include <numeric>

#include "classify/collectives.h"
#include "classify/purity.h"
#include "memory/placement.h"

namespace fxcut {

StepNodes::StepNodes(const Analysis& analysis) {
  const Graph& graph = analysis.graph();
  // On other devices the state is small, and on the host or in a generator.
  const bool on_cpu = !has_device(graph);
  list_inputs(graph);
  nodes_.resize(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    StepNode& step = nodes_[i];
    step.is_placeholder = node.is_placeholder();
    step.is_output = node.is_output();
    step.is_getitem = node.calls("operator.getitem") && node.inputs.size() == 1;
    step.is_copy = node.calls("aten.copy_.default");
    step.uses_gradient = uses_gradient(graph, node);
    step.required_in_forward = analysis.roles.required_forward[i];
    step.draws_cpu_numbers = on_cpu && node.is_call() && draws_numbers(node);
    const bool uses_one = !step.required_in_forward &&
                          std::ranges::any_of(inputs_of(i), [&](std::uint32_t input) { return nodes_[input].only_in_backward; });
    step.only_in_backward = !node.is_output() && (analysis.roles.tangents_closure[i] || is_backward_seed(node) ||
                                                  is_backward_state(node) || uses_one);
  }
  list_getitems();
  find_returned(analysis);
}

void StepNodes::list_inputs(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    for (const NodeId input : node.inputs) inputs_.push_back(static_cast<std::uint32_t>(index_of(input)));
    inputs_begin_.push_back(static_cast<std::uint32_t>(inputs_.size()));
    for (const NodeId collective : awaited_collectives(graph, node)) {
      awaited_.push_back(static_cast<std::uint32_t>(index_of(collective)));
    }
    awaited_begin_.push_back(static_cast<std::uint32_t>(awaited_.size()));
  }
}

void StepNodes::list_getitems() {
  getitems_begin_.assign(nodes_.size() + 1, 0);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].is_getitem) ++getitems_begin_[inputs_of(i)[0] + 1];
  }
  std::partial_sum(getitems_begin_.begin(), getitems_begin_.end(), getitems_begin_.begin());
  getitems_.resize(getitems_begin_.back());
  Begins next = getitems_begin_;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].is_getitem) getitems_[next[inputs_of(i)[0]]++] = static_cast<std::uint32_t>(i);
  }
}

// In a whole step, no caller holds the forward's values, except for the step's outputs (step/joint_of_step.h).
void StepNodes::find_returned(const Analysis& analysis) {
  const std::vector<OutputLeaf> leaves = output_leaves(analysis.graph());
  const WholeStep* whole = analysis.joint.step.get();
  const auto held = !whole ? analysis.joint.num_forward_outputs
                           : static_cast<std::size_t>(std::ranges::count(whole->is_backward_output, false));
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (!leaves[i].node || (i >= held && i < analysis.joint.num_forward_outputs)) continue;
    StepNode& step = nodes_[index_of(*leaves[i].node)];
    (i < analysis.joint.num_forward_outputs ? step.returned_by_forward : step.returned_by_backward) = true;
  }
}

}  // namespace fxcut
