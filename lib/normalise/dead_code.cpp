#include "normalise/dead_code.h"

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "classify/purity.h"

namespace fxcut {

Graph eliminate_dead_code(Graph graph, bool (*must_stay)(const Node&)) {
  std::vector<std::uint32_t> uses(graph.size(), 0);  // by nodes that stay
  std::vector<bool> stays(graph.size(), false);
  for (std::size_t i = graph.size(); i-- > 0;) {
    stays[i] = uses[i] > 0 || must_stay(graph.nodes[i]);
    if (!stays[i]) continue;
    for (const NodeId input : graph.nodes[i].inputs) ++uses[index_of(input)];
  }
  std::vector<NodeId> new_id(graph.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!stays[i]) continue;
    for (NodeId& input : graph.nodes[i].inputs) input = new_id[index_of(input)];
    new_id[i] = node_id(kept);
    if (kept != i) graph.nodes[kept] = std::move(graph.nodes[i]);
    ++kept;
  }
  graph.nodes.resize(kept);
  return graph;
}

namespace {

void eliminate_in_subgraphs(const Graph& graph, std::vector<std::pair<std::string, Subgraph>>& subgraphs) {
  std::set<std::string_view> referred;
  for (const Node& node : graph.nodes) {
    if (node.opcode == Opcode::GetAttr) referred.insert(node.target);
  }
  for (auto& [name, subgraph] : subgraphs) {
    if (!referred.contains(name)) continue;
    subgraph.graph = eliminate_dead_code(std::move(subgraph.graph), is_impure);
    eliminate_in_subgraphs(subgraph.graph, subgraph.subgraphs);
  }
}

}  // namespace

JointGraph eliminate_dead_code(JointGraph joint) {
  joint.graph = eliminate_dead_code(std::move(joint.graph), is_impure);
  eliminate_in_subgraphs(joint.graph, joint.subgraphs);
  return joint;
}

}  // namespace fxcut
