#include "show/last_uses.h"

namespace fxcut {

std::vector<std::vector<NodeId>> freed_after(const Graph& graph) {
  std::vector<std::vector<NodeId>> freed(graph.size());
  std::vector<bool> is_used(graph.size());
  for (std::size_t i = graph.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    const bool frees = !node.is_placeholder() && !node.is_output();
    const bool is_dead = !is_used[i];
    for (const NodeId input : node.inputs) {
      if (is_used[index_of(input)]) continue;
      is_used[index_of(input)] = true;
      if (frees) freed[i].push_back(input);
    }
    if (is_dead && frees) freed[i].push_back(node_id(i));
  }
  return freed;
}

}  // namespace fxcut
