// Functional collectives by what they do. Each has forms of one name: plain, _coalesced, in place, and _out.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "graph/operator.h"

namespace fxcut {

bool is_all_gather(const Operator& callee);
bool is_all_reduce(const Operator& callee);
bool is_reduce_scatter(const Operator& callee);

// The collectives that the call waits for and that read their operands until then: the operands stay in memory until the wait,
// even without other users (ProcessGroupNCCL's stashed_for_allocator_safety). All-reduce and broadcast work on a copy that they
// return. Empty for calls that do not wait.
std::vector<NodeId> awaited_collectives(const Graph& graph, const Node& call);

}  // namespace fxcut
