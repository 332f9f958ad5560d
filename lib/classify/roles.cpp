#include "classify/roles.h"

#include <fmt/format.h>

#include <algorithm>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "extract/extract_graph.h"

namespace fxcut {
namespace {

std::vector<bool> find_tangents_closure(const Graph& graph, const Users& users) {
  std::vector<bool> closure(graph.size(), false);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (is_tangent(graph.nodes[i]) || must_be_in_backward(graph.nodes[i])) closure[i] = true;
    if (!closure[i]) continue;
    for (const NodeId user : users.of(i)) closure[index_of(user)] = true;
  }
  return closure;
}

// The nodes of the forward-only graph.
std::vector<bool> find_required_forward(const JointGraph& joint, const std::vector<NodeId>& inputs) {
  std::vector<OutputLeaf> outputs = output_leaves(joint.graph);
  outputs.resize(joint.num_forward_outputs);
  return plan_extraction(joint.graph, inputs, outputs, Side::Forward).stays;
}

}  // namespace

Roles classify(const JointGraph& joint, const Users& users) {
  const Graph& graph = joint.graph;
  Roles roles;
  roles.inputs = find_nodes(graph, is_primal);
  const std::vector<NodeId> seeds = find_nodes(graph, is_forward_seed);
  roles.inputs.insert(roles.inputs.end(), seeds.begin(), seeds.end());
  roles.tangents_closure = find_tangents_closure(graph, users);
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
  roles.required_forward = find_required_forward(joint, roles.inputs);
  roles.forward_order.resize(graph.size(), 0);
  std::uint32_t order = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (roles.required_forward[i]) roles.forward_order[i] = order++;
  }
  roles.backward_is_empty =
      std::none_of(roles.required_backward.begin(), roles.required_backward.end(), [](bool required) { return required; });
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
