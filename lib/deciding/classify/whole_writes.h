// Writes that leave nothing of what was there: copy_ to all of a memory. What was written there before is lost without a trace,
// and what the destination held need not have been right.
//
// That it is all shows where one node of the graph has made or brought the memory and the destination is one of its views, with
// as many elements, each once. An as_strided may reach beyond what that node has.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// A state of a memory: what it held after that write, or before all writes.
struct HeldAfter {
  std::optional<NodeId> write;
};

// Indexed by node.
struct CopiesInPlace {
  std::vector<bool> is_whole;
  std::vector<bool> is_idle;  // a copy_ of a node to itself: it never writes anything
  // A copy_ of what is there already: between nodes that are one memory alike, of a clone that is unchanged as its source is, or
  // between memories that were made equal by whole copies. Where a side runs the graph's calls in another order that holds only
  // if both of its operands are in one memory there, too, or hold there what they hold in the graph.
  std::vector<bool> writes_same;
  // For a copy_ that restores an earlier content of its memory: when the memory first had that content.
  std::vector<std::optional<HeldAfter>> restores;

  // Whether the node leaves nothing of what was there, and may leave something else.
  bool overwrites(NodeId node) const {
    const std::size_t i = index_of(node);
    return is_whole[i] && !is_idle[i] && !writes_same[i];
  }
};

// `merged`: the storages of equal calls that were merged.
CopiesInPlace find_copies_in_place(const Graph& graph, const MergedStorages& merged = {});

}  // namespace fxcut
