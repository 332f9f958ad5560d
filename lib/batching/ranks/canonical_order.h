// An order of a graph's nodes that does not depend on their names or the order of tracing, so that the graphs of one step on
// several ranks can be compared node by node (PyTorch's _canonical_node_names).
//
// Kahn's algorithm: among the nodes whose inputs all have places, the one with the least key is next. The key of an input is its
// dtype and its cone, that of a call its operator and the places of its inputs. Shapes do not count, because ranks may have parts
// of different sizes. A cone is a hash of the node, of the cones of its users, and, unlike PyTorch's, of the argument positions
// at which they use it. Nodes with equal keys keep the order of the graph.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

struct CanonicalOrder {
  std::vector<NodeId> nodes;  // by place
  // Equal for two graphs that compute the same with the same operators, place by place: 32 hexadecimal digits. Unlike PyTorch's
  // has_same_nodes it covers the places of a node's inputs. Constants do not count: sizes are among them.
  std::string structure;
};

CanonicalOrder canonical_order(const Graph& graph);

}  // namespace fxcut
