#include "graph/rebuild.h"

namespace fxcut {

Graph select_nodes(Graph graph, const std::vector<NodeId>& order) {
  bool as_it_is = order.size() == graph.size();
  for (std::size_t i = 0; i < order.size() && as_it_is; ++i) as_it_is = order[i] == node_id(i);
  if (as_it_is) return graph;
  std::vector<NodeId> new_id(graph.size(), kNoNode);
  Graph selected;
  selected.operators = graph.operators;
  selected.nodes.reserve(order.size());
  for (const NodeId id : order) {
    for (NodeId& input : graph[id].inputs) input = new_id[index_of(input)];
    new_id[index_of(id)] = node_id(selected.size());
    selected.nodes.push_back(std::move(graph[id]));
  }
  return selected;
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
  output.arguments = std::move(arguments);  // not before: the constants may stand in the old ones
  return output;
}

}  // namespace fxcut
