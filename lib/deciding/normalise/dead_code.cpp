#include "normalise/dead_code.h"

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "classify/purity.h"
#include "graph/rebuild.h"

namespace fxcut {

Graph eliminate_dead_code(Graph graph, bool (*must_stay)(const Node&)) {
  std::vector<std::uint32_t> uses(graph.size(), 0);  // by nodes that stay
  std::vector<bool> stays(graph.size(), false);
  for (std::size_t i = graph.size(); i-- > 0;) {
    stays[i] = uses[i] > 0 || must_stay(graph.nodes[i]);
    if (!stays[i]) continue;
    for (const NodeId input : graph.nodes[i].inputs) ++uses[index_of(input)];
  }
  std::vector<NodeId> staying;
  staying.reserve(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (stays[i]) staying.push_back(node_id(i));
  }
  return select_nodes(std::move(graph), staying);
}

namespace {

void eliminate_in_subgraphs(const Graph& graph, Subgraphs& subgraphs) {
  const std::set<std::string_view> referred = attribute_names(graph);
  for (auto& [name, subgraph] : subgraphs) {
    if (!referred.contains(name)) continue;
    subgraph.graph = eliminate_dead_code(std::move(subgraph.graph), is_impure);
    eliminate_in_subgraphs(subgraph.graph, subgraph.subgraphs);
  }
}

}  // namespace

JointGraph eliminate_dead_code(JointGraph joint) {
  joint.graph = eliminate_dead_code(std::move(joint.graph), is_impure);
  if (joint.torch.release.has(Change::SubgraphsLoseDeadCode)) eliminate_in_subgraphs(joint.graph, joint.subgraphs);
  return joint;
}

}  // namespace fxcut
