// An order of a graph's nodes that neither their names nor the order in which they were traced tell on, so that the
// graphs of one step on several ranks can be compared node by node (PyTorch's _canonical_node_names).
//
// Kahn's algorithm: of the nodes of which all inputs have their place, the one with the least key is next. A key is what
// the node is: an input by its dtype and by what becomes of it, a call by its operator and the places of its inputs.
// Shapes do not count, since ranks may hold parts of different sizes. What becomes of an input is its cone: a hash over
// what it is, over the cones of all that take it, and, beyond PyTorch's, over the places at which they do. Nodes that
// are alike in all of this keep the order of the graph.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

struct CanonicalOrder {
  std::vector<NodeId> nodes;  // by place
  // The same for two graphs that compute the same with the same operators, place by place: 32 hexadecimal digits. Beyond
  // PyTorch's has_same_nodes it covers which places a node takes. Constants do not count: sizes are among them.
  std::string structure;
};

CanonicalOrder canonical_order(const Graph& graph);

}  // namespace fxcut
