#include "graph/rebuild.h"

namespace fxcut {

Graph select_nodes(Graph graph, const std::vector<NodeId>& order) {
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

}  // namespace fxcut
