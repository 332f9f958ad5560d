// control_deps over values of both sides.
//
// higher_order.control_deps(additional, subgraph, dep 0, dep 1, ...) runs `subgraph` over the deps after all of
// `additional`, and returns (result, dep 0, dep 1, ...), so that users of these deps come later: a getitem at position
// k >= 1 is dep k - 1. A side without some of the deps has a call over the others, and a copy of the subgraph without
// the missing placeholders.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "classify/bodies.h"
#include "graph/graph.h"

namespace fxcut {

// A call on one side.
struct RebuiltControlDeps {
  std::vector<std::size_t> deps;  // the call's remaining deps, in order
  std::vector<NodeId> inputs;     // the remaining additional nodes, then those deps
  std::size_t num_additional = 0;
  bool keeps_operation = false;   // the subgraph's operation uses none of the missing deps, so it still runs

  // The new position of the item at `position` of the result; none if it is removed.
  std::optional<std::int64_t> new_position(std::int64_t position) const;
};

// The dep at `position` of the call's result, if it is a node.
std::optional<NodeId> dep_at(const Node& call, std::int64_t position);

// Whether the call's subgraph waits for or records events of streams (PyTorch's _control_deps_has_sync_op), whose state
// the backward does not have.
bool synchronises(const JointGraph& joint, const Node& call);

// The call on a side with the nodes marked in `available`; none without any of the deps (PyTorch's
// _rebuild_control_deps_for_extract). This and `synchronises` throw Failure (NoPartition) if the call's second argument
// is not a get_attr of a subgraph.
std::optional<RebuiltControlDeps> rebuild_control_deps(const JointGraph& joint, NodeId call,
                                                       const std::vector<bool>& available);

// Its subgraph, and its value. Throws Failure (NoPartition) if the subgraph refers to attributes of its own, which
// PyTorch's copy does not have.
Subgraph rebuilt_subgraph(const JointGraph& joint, NodeId call, const RebuiltControlDeps& rebuilt);
std::shared_ptr<const Value> rebuilt_value(const Node& call, const RebuiltControlDeps& rebuilt);

// The names of the next `count` subgraphs that PyTorch creates after `rebuilt_before` others: subgraph_cd_extract, then
// with _0, _1, ..., without names that the joint graph has.
std::vector<std::string> rebuilt_subgraph_names(const JointGraph& joint, std::size_t rebuilt_before, std::size_t count);

}  // namespace fxcut
