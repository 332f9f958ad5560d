// Copies of graphs: which nodes are copied, and the replacements of the others.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// The id of no node.
inline constexpr NodeId kNoNode{0xffffffff};

// The graph with its nodes in another order, each after its inputs, and without the nodes that are not in `order`.
Graph select_nodes(Graph graph, const std::vector<NodeId>& order);

// The output node with other leaves, in one tuple. Their node ids are of the graph that it is added to.
Node returning(Node output, const std::vector<OutputLeaf>& leaves);

// Copies nodes of one graph into another, in the order of the calls.
class Rebuild {
 public:
  explicit Rebuild(const Graph& source) : source_(source), new_ids_(source.size(), kNoNode) {
    result_.operators = source.operators;
  }

  // Appends a copy of the node with translated inputs (each was copied or substituted before). The copy represents the
  // node from then on.
  NodeId copy(NodeId id) { return substitute(id, append(translated(id))); }

  // The node with its inputs replaced by their representatives, not appended yet.
  Node translated(NodeId id) const {
    Node node = source_[id];
    for (NodeId& input : node.inputs) input = new_ids_[index_of(input)];
    return node;
  }

  // The leaves with their nodes replaced in the same way.
  std::vector<OutputLeaf> translated(std::vector<OutputLeaf> leaves) const {
    for (OutputLeaf& leaf : leaves) {
      if (leaf.node) leaf.node = new_ids_[index_of(*leaf.node)];
    }
    return leaves;
  }

  // Appends a node whose inputs are ids of the new graph.
  NodeId append(Node node) {
    result_.nodes.push_back(std::move(node));
    return node_id(result_.size() - 1);
  }

  // Makes a node of the new graph represent one of the source.
  NodeId substitute(NodeId id, NodeId replacement) { return new_ids_[index_of(id)] = replacement; }

  // The representative of a node of the source, or kNoNode.
  NodeId operator()(NodeId id) const { return new_ids_[index_of(id)]; }

  Graph& result() { return result_; }
  Graph take() { return std::move(result_); }

 private:
  const Graph& source_;
  Graph result_;
  std::vector<NodeId> new_ids_;
};

class Survivors {
 public:
  // `joint` may have lost dead nodes, and repeats to others (JointGraph::repeats). It must outlive this.
  explicit Survivors(const JointGraph& joint);

  // The node that represents the node of this name: itself, or the one that it was merged into; none if it was dead.
  std::optional<NodeId> of(const std::string& name) const;

 private:
  const JointGraph& joint_;
  std::unordered_map<std::string_view, NodeId> alive_;
};

}  // namespace fxcut
