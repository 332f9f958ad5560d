// Insertion of nodes anywhere in a graph: they are appended to its nodes, and `order` has their positions.
#pragma once

#include <utility>

#include "graph/graph.h"
#include "graph/node_order.h"
#include "graph/rebuild.h"

namespace fxcut {

struct Editing {
  explicit Editing(Graph edited) : graph(std::move(edited)), order(graph.size()), output(node_id(graph.size() - 1)) {}

  NodeId add_after(NodeId anchor, Node node) {
    const NodeId id = append(std::move(node));
    order.put_after(anchor, id);
    return id;
  }
  NodeId add_before(NodeId anchor, Node node) {
    const NodeId id = append(std::move(node));
    order.put_before(anchor, id);
    return id;
  }

  // The graph in its new order.
  Graph take() { return select_nodes(std::move(graph), order.sequence()); }

  Graph graph;
  NodeOrder order;
  NodeId output;  // no longer the last of graph.nodes once one is added

 private:
  NodeId append(Node node) {
    graph.nodes.push_back(std::move(node));
    return node_id(graph.size() - 1);
  }
};

}  // namespace fxcut
