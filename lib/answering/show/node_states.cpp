#include "show/node_states.h"

#include <algorithm>

#include "cost/size.h"

namespace fxcut {
namespace {

// PyTorch's names for copies in host memory.
bool is_on_host(const Node& node) { return node.name.starts_with("cpu_offload_"); }

// The decision's names, and PyTorch's for what it quantizes.
bool is_compressed(const Node& node, const DecisionNames& decision) {
  return decision.compressed.contains(node.name) || node.name.starts_with("fp8_quant_") || node.name.starts_with("fp8_scale_");
}

// The state of what crosses, in one of the two sides.
NodeState crossing_state(const Node& node, const DecisionNames& decision) {
  if (is_compressed(node, decision)) return NodeState::Compressed;
  return is_on_host(node) ? NodeState::Offloaded : NodeState::Saved;
}

std::vector<DrawnNode> states_of_joint(const JointGraph& joint, const DecisionNames& decision) {
  const Graph& graph = joint.graph;
  const std::vector<OutputLeaf> outputs = output_leaves(graph);
  const std::vector<bool> used = needed_for(graph, outputs);
  const std::size_t own = std::min(joint.num_forward_outputs, outputs.size());
  std::vector<bool> in_forward(graph.size());
  for (std::size_t i = 0; i < own; ++i) {
    if (outputs[i].node) in_forward[index_of(*outputs[i].node)] = true;
  }
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (decision.saved.contains(graph.nodes[i].name)) in_forward[i] = true;
  }
  mark_ancestors(graph, in_forward);

  std::vector<DrawnNode> shown(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    const bool of_backward = is_tangent(node) || is_backward_seed(node);
    if (!in_forward[i] && !is_primal(node) && !is_forward_seed(node)) shown[i] = {Side::Backward, NodeState::Backward};
    if (of_backward) shown[i] = {Side::Backward, NodeState::Backward};
    if (!used[i] && !in_forward[i]) shown[i].state = NodeState::Unused;
    if (decision.recomputed.contains(node.name)) shown[i] = {Side::Forward, NodeState::Recomputed};
    if (decision.saved.contains(node.name)) shown[i] = {Side::Forward, NodeState::Saved};
    if (decision.compressed.contains(node.name)) shown[i].state = NodeState::Compressed;
    if (decision.offloaded.contains(node.name)) shown[i].state = NodeState::Offloaded;
  }
  return shown;
}

std::vector<DrawnNode> states_of_forward(const JointGraph& joint, const DecisionNames& decision) {
  const Graph& graph = joint.graph;
  std::vector<DrawnNode> shown(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (decision.recomputed.contains(graph.nodes[i].name)) shown[i].state = NodeState::Recomputed;
  }
  const std::vector<OutputLeaf> outputs = output_leaves(graph);
  for (std::size_t i = joint.num_forward_outputs; i < outputs.size(); ++i) {
    if (!outputs[i].node) continue;
    shown[index_of(*outputs[i].node)].state = crossing_state(graph[*outputs[i].node], decision);
  }
  return shown;
}

std::vector<DrawnNode> states_of_backward(const JointGraph& joint, const DecisionNames& decision) {
  const Graph& graph = joint.graph;
  std::vector<DrawnNode> shown(graph.size(), {Side::Backward, NodeState::Backward});
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.is_placeholder() && !is_tangent(node) && !is_backward_seed(node)) {
      shown[i].state = crossing_state(node, decision);
    } else if (decision.recomputed.contains(node.name) || node.meta.tag == PartitionerTag::IsForward) {
      shown[i].state = NodeState::Recomputed;
    }
  }
  return shown;
}

// Where no report says it: what is saved holds its storage.
void hold_storages(const Graph& graph, std::vector<DrawnNode>& shown) {
  std::vector<NodeId> saved;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (is_saved(shown[i].state)) saved.push_back(node_id(i));
  }
  const std::vector<std::int64_t> held = kept_bytes(graph, storage_bytes(graph), saved);
  for (std::size_t i = 0; i < saved.size(); ++i) shown[index_of(saved[i])].held_bytes = held[i];
}

}  // namespace

std::vector<DrawnNode> node_states(const JointGraph& joint, GraphForm form, const std::optional<DecisionNames>& decision) {
  const DecisionNames names = decision.value_or(DecisionNames());
  std::vector<DrawnNode> shown = form == GraphForm::Joint     ? states_of_joint(joint, names)
                                 : form == GraphForm::Forward ? states_of_forward(joint, names)
                                                              : states_of_backward(joint, names);
  if (!decision) hold_storages(joint.graph, shown);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto held = names.held_bytes.find(joint.graph.nodes[i].name);
    if (is_saved(shown[i].state) && held != names.held_bytes.end()) shown[i].held_bytes = held->second;
  }
  return shown;
}

std::string_view name_of(NodeState state) {
  constexpr std::string_view names[] = {"forward", "backward", "saved", "recomputed", "offloaded", "compressed", "unused"};
  return names[static_cast<std::size_t>(state)];
}

}  // namespace fxcut
