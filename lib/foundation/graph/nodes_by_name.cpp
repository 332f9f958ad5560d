#include "graph/nodes_by_name.h"

namespace fxcut {

NodesByName nodes_by_name(const Graph& graph) {
  NodesByName nodes;
  nodes.reserve(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) nodes.emplace(graph.nodes[i].name, node_id(i));
  return nodes;
}

}  // namespace fxcut
