// control_deps over values of both sides.
//
// higher_order.control_deps(additional, subgraph, dep 0, dep 1, ...) runs `subgraph` over the deps once all of
// `additional` is there, and returns (result, dep 0, dep 1, ...), so that whoever takes a dep from it comes later: a
// getitem at position k >= 1 takes dep k - 1. A side that lacks some of the deps gets a call over the others, and a
// copy of the subgraph without the missing placeholders.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "classify/bodies.h"
#include "graph/graph.h"

namespace fxcut {

// A call as one side has it.
struct RebuiltControlDeps {
  std::vector<std::size_t> deps;  // which of the call's deps are left, in order
  std::vector<NodeId> inputs;     // the additional nodes that are left, then those deps
  std::size_t num_additional = 0;
  bool keeps_operation = false;   // the subgraph's operation takes none of the missing deps, so it still runs

  // Where what stood at `position` of the result stands now; nothing where it is gone.
  std::optional<std::int64_t> new_position(std::int64_t position) const;
};

// The dep that a getitem at `position` of the call's result takes, if it is a node.
std::optional<NodeId> dep_at(const Node& call, std::int64_t position);

// The position that a getitem takes; nothing where its key is no integer.
std::optional<std::int64_t> item_position(const Node& getitem);

// Whether the call's subgraph waits for or records events of streams (PyTorch's _control_deps_has_sync_op): state that
// the backward does not have.
bool synchronises(const JointGraph& joint, const Node& call);

// The call on a side that has the nodes marked in `at_hand`; nothing where it has none of the deps (PyTorch's
// _rebuild_control_deps_for_extract). This and `synchronises` throw Failure (NoPartition) where the call's second
// argument is no get_attr of a subgraph.
std::optional<RebuiltControlDeps> rebuild_control_deps(const JointGraph& joint, NodeId call,
                                                       const std::vector<bool>& at_hand);

// Its subgraph, and its value. Throws Failure (NoPartition) where the subgraph refers to attributes of its own:
// PyTorch's part of it has none.
Subgraph rebuilt_subgraph(const JointGraph& joint, NodeId call, const RebuiltControlDeps& rebuilt);
std::shared_ptr<const Value> rebuilt_value(const Node& call, const RebuiltControlDeps& rebuilt);

// The names of the next `count` subgraphs that PyTorch makes after `made_before` others: subgraph_cd_extract, then with
// _0, _1, ..., but for names that the joint graph has.
std::vector<std::string> rebuilt_subgraph_names(const JointGraph& joint, std::size_t made_before, std::size_t count);

}  // namespace fxcut
