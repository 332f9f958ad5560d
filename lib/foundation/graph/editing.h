// Insertion of nodes anywhere in a graph: they are appended to its nodes, and `order` has their positions.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "graph/rebuild.h"

namespace fxcut {

// An execution order under change: a linked list of node ids, so that each change takes constant time.
class NodeOrder {
 public:
  // The ids from 0 to `size` - 1, in this order.
  explicit NodeOrder(std::size_t size) : next_(size + 1), previous_(size + 1) {
    for (std::size_t slot = 0; slot <= size; ++slot) link(slot, (slot + 1) % (size + 1));
  }

  // Moves a node, or inserts a new one, directly after or before another.
  void put_after(NodeId anchor, NodeId id) { put_between(slot_of(anchor), next_[slot_of(anchor)], id); }
  void put_before(NodeId anchor, NodeId id) { put_between(previous_[slot_of(anchor)], slot_of(anchor), id); }

  std::vector<NodeId> sequence() const {
    std::vector<NodeId> ids;
    ids.reserve(next_.size());
    for (std::size_t slot = next_[kEnds]; slot != kEnds; slot = next_[slot]) ids.push_back(node_id(slot - 1));
    return ids;
  }

 private:
  static constexpr std::size_t kEnds = 0;  // the slot before the first and after the last node
  static std::size_t slot_of(NodeId id) { return index_of(id) + 1; }

  void link(std::size_t from, std::size_t to) {
    next_[from] = to;
    previous_[to] = from;
  }

  void put_between(std::size_t before, std::size_t after, NodeId id) {
    const std::size_t slot = slot_of(id);
    if (slot == before || slot == after) return;  // already there
    if (slot < next_.size()) {
      link(previous_[slot], next_[slot]);  // of its old neighbours
    } else {
      next_.resize(slot + 1);
      previous_.resize(slot + 1);
    }
    link(before, slot);
    link(slot, after);
  }

  std::vector<std::size_t> next_, previous_;  // by slot
};

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
