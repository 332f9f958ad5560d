// Which nodes the forward and the backward each need, before anything is decided.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// By node of the joint graph (PyTorch's NodeInfo of classify_nodes).
struct Roles {
  // What the backward receives at the least: primals, then the forward's seeds and offsets.
  std::vector<NodeId> inputs;
  // What the forward computes to give its own outputs, impure operators included.
  std::vector<bool> required_forward;
  // What can only run in the backward: whatever depends on a tangent or is tied to the backward, and its outputs.
  std::vector<bool> required_backward;
  // The same without the outputs: these cannot be saved, since the forward cannot compute them.
  std::vector<bool> tangents_closure;
  // Position among the forward's nodes; meaningless for others.
  std::vector<std::uint32_t> forward_order;
  bool backward_is_empty = true;  // nothing is required in the backward
  std::size_t rebuilt_control_deps = 0;  // to find out what the forward needs

  bool is_required_forward(NodeId id) const { return required_forward[index_of(id)]; }
};

// Throws Failure (NoPartition) where a forward output depends on the backward, and where a gradient is a constant other
// than null.
Roles classify(const JointGraph& joint, const Users& users);

// How many nodes lie between each node and the nearest one of the backward; 0 for those outside the forward and
// kFarFromBackward where none is reached.
inline constexpr std::int64_t kFarFromBackward = 1'000'000'000;  // PyTorch's int(1e9)
std::vector<std::int64_t> distance_from_backward(const Graph& graph, const Users& users, const Roles& roles);

}  // namespace fxcut
