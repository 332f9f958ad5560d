// The nodes that the forward and the backward each need, before anything is decided.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// By node of the joint graph (PyTorch's NodeInfo of classify_nodes).
struct Roles {
  // The least inputs of the backward: primals, then the forward's seeds and offsets.
  std::vector<NodeId> inputs;
  // Nodes that the forward needs for its own outputs, impure operators included.
  std::vector<bool> required_forward;
  // Nodes that can only run in the backward, since they depend on a tangent or must be in the backward, and its
  // outputs.
  std::vector<bool> required_backward;
  // The same without the outputs: these cannot be saved, since the forward cannot compute them. In releases that never
  // save a gradient, with the outputs that are not inputs.
  std::vector<bool> tangents_closure;
  // Position among the forward's nodes; meaningless for others.
  std::vector<std::uint32_t> forward_order;
  bool backward_is_empty = true;  // nothing is required in the backward
  std::size_t rebuilt_control_deps = 0;  // in the plan of the forward

  bool is_required_forward(NodeId id) const { return required_forward[index_of(id)]; }
};

// Throws Failure (NoPartition) if a forward output depends on the backward, or if a gradient is a constant other than
// null.
Roles classify(const JointGraph& joint, const Users& users);

// The number of nodes between each node and the nearest one of the backward; 0 outside the forward, kFarFromBackward if
// none is reached.
inline constexpr std::int64_t kFarFromBackward = 1'000'000'000;  // PyTorch's int(1e9)
std::vector<std::int64_t> distance_from_backward(const Graph& graph, const Users& users, const Roles& roles);

}  // namespace fxcut
