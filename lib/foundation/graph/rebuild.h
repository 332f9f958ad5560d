// Making a graph from another: which nodes go along, and what stands for the others.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// What no node stands for.
inline constexpr NodeId kNoNode{0xffffffff};

// The graph with its nodes in another order, each after its inputs; nodes that `order` leaves out are gone.
Graph select_nodes(Graph graph, const std::vector<NodeId>& order);

// The output node with other leaves, in one tuple. The nodes among them are of the graph that it goes into.
Node returning(Node output, const std::vector<OutputLeaf>& leaves);

// Copies nodes of one graph into another, in the order of the calls.
class Rebuild {
 public:
  explicit Rebuild(const Graph& source) : source_(source), stands_for_(source.size(), kNoNode) {
    result_.operators = source.operators;
  }

  // Appends a copy of the node, its inputs replaced by what stands for them (each must have been copied or substituted
  // before). The copy stands for the node from then on.
  NodeId copy(NodeId id) { return substitute(id, append(translated(id))); }

  // The node with its inputs replaced by what stands for them, not appended yet.
  Node translated(NodeId id) const {
    Node node = source_[id];
    for (NodeId& input : node.inputs) input = stands_for_[index_of(input)];
    return node;
  }

  // The leaves with their nodes replaced in the same way.
  std::vector<OutputLeaf> translated(std::vector<OutputLeaf> leaves) const {
    for (OutputLeaf& leaf : leaves) {
      if (leaf.node) leaf.node = stands_for_[index_of(*leaf.node)];
    }
    return leaves;
  }

  // Appends a node whose inputs are ids of the new graph.
  NodeId append(Node node) {
    result_.nodes.push_back(std::move(node));
    return node_id(result_.size() - 1);
  }

  // Lets a node of the new graph stand for one of the source.
  NodeId substitute(NodeId id, NodeId replacement) { return stands_for_[index_of(id)] = replacement; }

  // What stands for a node of the source, or kNoNode.
  NodeId operator()(NodeId id) const { return stands_for_[index_of(id)]; }

  Graph& result() { return result_; }
  Graph take() { return std::move(result_); }

 private:
  const Graph& source_;
  Graph result_;
  std::vector<NodeId> stands_for_;
};

}  // namespace fxcut
