// Writes that replace the whole content of a memory: copy_ to all of it. Earlier writes are lost without a trace, and the earlier
// content need not have been right.
//
// A write is known to be whole if one node of the graph made the memory or brought it in, and the destination is one of its
// views, with equally many elements, each once. An as_strided may reach beyond that node's elements.
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
  // Whether it is a copy_ that writes what is there already: between equal views of one memory, from a clone if both it and its
  // source are unchanged, or between memories made equal by whole copies. If a side runs the graph's calls in another order, this
  // holds only if both operands are in one memory there, too, or have the same content there as in the graph.
  std::vector<bool> writes_same;
  // For a copy_ that restores an earlier content of its memory: when the memory first had that content.
  std::vector<std::optional<HeldAfter>> restores;

  // Whether the node replaces the whole content, possibly with something else.
  bool overwrites(NodeId node) const {
    const std::size_t i = index_of(node);
    return is_whole[i] && !is_idle[i] && !writes_same[i];
  }
};

// `merged`: the storages of equal calls that were merged.
CopiesInPlace find_copies_in_place(const Graph& graph, const MergedStorages& merged = {});

}  // namespace fxcut
