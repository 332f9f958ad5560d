#include "graph/rebuild.h"

namespace fxcut {
namespace {

// Moves nodes[order[i]] to place i, for all i. A free place receives its node, which frees the next place: such a chain
// begins at a place whose node is dropped, and ends after the last place. The rest are cycles, of which one node waits
// outside. So no second list is needed, whose allocation would take longer than all the moves.
class Permutation {
 public:
  Permutation(std::vector<Node>& nodes, const std::vector<NodeId>& order) : nodes_(nodes), order_(order) {}

  void apply(const std::vector<NodeId>& new_id) {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (new_id[i] == kNoNode) fill_from(i);
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (is_filled_[i] || index_of(order_[i]) == i) continue;
      Node waiting = std::move(nodes_[i]);
      nodes_[fill_from(i)] = std::move(waiting);
    }
    nodes_.resize(order_.size());
  }

 private:
  // Fills `free` and then the places that become free. Returns the last of them.
  std::size_t fill_from(std::size_t free) {
    const std::size_t first = free;
    while (free < order_.size()) {
      is_filled_[free] = true;
      const std::size_t next = index_of(order_[free]);
      if (next == first) break;
      nodes_[free] = std::move(nodes_[next]);
      free = next;
    }
    return free;
  }

  std::vector<Node>& nodes_;
  const std::vector<NodeId>& order_;
  std::vector<bool> is_filled_ = std::vector<bool>(order_.size());
};

}  // namespace

Graph select_nodes(Graph graph, const std::vector<NodeId>& order) {
  bool is_unchanged = order.size() == graph.size();
  for (std::size_t i = 0; i < order.size() && is_unchanged; ++i) is_unchanged = order[i] == node_id(i);
  if (is_unchanged) return graph;
  std::vector<NodeId> new_id(graph.size(), kNoNode);
  for (std::size_t i = 0; i < order.size(); ++i) new_id[index_of(order[i])] = node_id(i);
  for (const NodeId id : order) {
    for (NodeId& input : graph[id].inputs) input = new_id[index_of(input)];
  }
  Permutation(graph.nodes, order).apply(new_id);
  return graph;
}

Node returning(Node output, const std::vector<OutputLeaf>& leaves) {
  auto arguments = std::make_shared<Arguments>();
  Argument& tuple = arguments->positional.emplace_back();
  tuple.kind = Argument::Kind::Tuple;
  output.inputs.clear();
  for (const OutputLeaf& leaf : leaves) {
    tuple.items.push_back(leaf.node ? reference_to_input(output.inputs.size()) : *leaf.constant);
    if (leaf.node) output.inputs.push_back(*leaf.node);
  }
  output.arguments = std::move(arguments);  // last, since the constants may be in the old arguments
  return output;
}

Survivors::Survivors(const JointGraph& joint) : joint_(joint) {
  alive_.reserve(joint.graph.size());
  for (std::size_t i = 0; i < joint.graph.size(); ++i) alive_.emplace(joint.graph.nodes[i].name, node_id(i));
}

std::optional<NodeId> Survivors::of(const std::string& name) const {
  const std::string* current = &name;
  for (auto repeat = joint_.repeats.find(name); repeat != joint_.repeats.end(); repeat = joint_.repeats.find(*current)) {
    current = &repeat->second;  // a later round may have merged it, too
  }
  const auto found = alive_.find(*current);
  return found == alive_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace fxcut
