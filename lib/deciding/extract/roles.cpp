#include "extract/roles.h"

#include <fmt/format.h>

#include <algorithm>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "extract/extract_graph.h"

namespace fxcut {
namespace {

// Marks the users of a node that only the backward computes. Items of a control_deps call that return a value of the
// forward are not marked, since the call can be split; items of a call that waits for such a value are.
void mark_users(const JointGraph& joint, const Users& users, NodeId id, std::vector<bool>& closure) {
  const Node& node = joint.graph[id];
  const bool can_be_split = node.calls(kControlDeps) && joint.torch.release.has(Change::ControlDepsAreRebuilt);
  const std::size_t num_arguments = node.arguments->positional.size();
  for (const NodeId user : users.of(id)) {
    const auto position = can_be_split ? item_position(joint.graph[user]) : std::nullopt;
    const bool is_passed_on = position && *position >= 1 && static_cast<std::size_t>(*position) + 2 <= num_arguments;
    const auto dep = is_passed_on ? dep_at(node, *position) : std::nullopt;
    if (!is_passed_on || (dep && closure[index_of(*dep)])) closure[index_of(user)] = true;
  }
}

std::vector<bool> find_tangents_closure(const JointGraph& joint, const Users& users) {
  const Graph& graph = joint.graph;
  std::vector<bool> closure(graph.size(), false);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (is_tangent(graph.nodes[i]) || must_be_in_backward(graph.nodes[i])) closure[i] = true;
    if (closure[i]) mark_users(joint, users, node_id(i), closure);
  }
  return closure;
}

}  // namespace

Roles classify(const JointGraph& joint, const Users& users) {
  const Graph& graph = joint.graph;
  Roles roles;
  roles.inputs = find_nodes(graph, is_primal);
  const std::vector<NodeId> seeds = find_nodes(graph, is_forward_seed);
  roles.inputs.insert(roles.inputs.end(), seeds.begin(), seeds.end());
  roles.tangents_closure = find_tangents_closure(joint, users);
  roles.required_backward = roles.tangents_closure;
  const std::vector<OutputLeaf> outputs = output_leaves(graph);
  for (std::size_t i = joint.num_forward_outputs; i < outputs.size(); ++i) {
    if (outputs[i].node) {
      roles.required_backward[index_of(*outputs[i].node)] = true;
    } else if (outputs[i].constant->kind != Argument::Kind::None) {
      throw Failure(ExitStatus::NoPartition,
                    fmt::format("output {} of '{}', a gradient, is a constant", i, graph.output().name),
                    "a gradient is a node or null; check num_fwd_outputs");
    }
  }
  if (!joint.torch.release.has(Change::GradientsMayBeSaved)) {
    roles.tangents_closure = roles.required_backward;
    for (const NodeId input : roles.inputs) roles.tangents_closure[index_of(input)] = false;
  }
  std::vector<OutputLeaf> forward_outputs = outputs;
  forward_outputs.resize(joint.num_forward_outputs);
  ExtractionPlan forward = plan_extraction(joint, roles.inputs, forward_outputs, Side::Forward);
  roles.required_forward = std::move(forward.stays);
  roles.rebuilt_control_deps = forward.rebuilt.size();
  roles.forward_order.resize(graph.size(), 0);
  std::uint32_t order = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (roles.required_forward[i]) roles.forward_order[i] = order++;
  }
  roles.backward_is_empty = std::none_of(roles.required_backward.begin(), roles.required_backward.end(),
                                         [](bool required) { return required; });
  return roles;
}

std::vector<std::int64_t> distance_from_backward(const Graph& graph, const Users& users, const Roles& roles) {
  std::vector<std::int64_t> distance(graph.size(), 0);
  for (std::size_t i = graph.size(); i-- > 0;) {
    if (graph.nodes[i].is_output()) {
      distance[i] = kFarFromBackward;
    } else if (roles.required_forward[i]) {
      distance[i] = kFarFromBackward;
      for (const NodeId user : users.of(i)) distance[i] = std::min(distance[i], distance[index_of(user)] + 1);
    }
  }
  return distance;
}

}  // namespace fxcut
