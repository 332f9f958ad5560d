// Results that a copy_ overwrites entirely before they are read. Such a call only provides memory: what it computes, and so what
// it reads and draws, does not matter.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "classify/whole_writes.h"
#include "graph/graph.h"

namespace fxcut {

// For each node, whether it is such a call. Only calls that compute one tensor and do nothing else can be; views of the result
// and dead code do not count as readers. `copies` and `merged` are those of the graph. Linear in it.
std::vector<bool> find_overwritten_results(const Graph& graph, const CopiesInPlace& copies, const MergedStorages& merged = {});

// The node of the joint graph that a node of a side represents, or nothing.
using OriginalOf = std::function<std::optional<NodeId>(const Node&)>;

// The same for a side, which may at once overwrite a value that the joint graph still reads, if it computes that value again.
// Only copies that also overwrite something in the joint graph count; `in_joint` are the joint graph's.
std::vector<bool> find_overwritten_on_side(const Graph& side, const CopiesInPlace& in_joint, const OriginalOf& original,
                                           const MergedStorages& merged = {});

}  // namespace fxcut
