// Nodes in another order, some of them gone: against the plain way, a second list.
#include "graph/rebuild.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace fxcut {
namespace {

// Nodes that each take some of those before them.
Graph random_graph(std::size_t nodes, std::mt19937& random) {
  Graph graph;
  for (std::size_t i = 0; i < nodes; ++i) {
    Node& node = graph.nodes.emplace_back();
    node.name = "node" + std::to_string(i);
    for (std::size_t k = 0; i > 0 && k < random() % 3; ++k) node.inputs.push_back(node_id(random() % i));
  }
  return graph;
}

// All nodes, or those left after removing some with all their users; in their order, or in any order in which each follows its
// inputs.
std::vector<NodeId> random_order(const Graph& graph, bool drops, bool shuffles, std::mt19937& random) {
  std::vector<NodeId> order;
  std::vector<bool> stays(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const auto& inputs = graph.nodes[i].inputs;
    stays[i] = (!drops || random() % 4 > 0) &&
               std::all_of(inputs.begin(), inputs.end(), [&](NodeId input) { return stays[index_of(input)]; });
    if (!stays[i]) continue;
    std::size_t place = order.size();
    while (shuffles && place > 0 && random() % 5 > 0 &&
           std::find(inputs.begin(), inputs.end(), order[place - 1]) == inputs.end()) {
      --place;
    }
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), node_id(i));
  }
  return order;
}

std::vector<std::string> names_of_inputs(const Graph& graph, const Node& node) {
  std::vector<std::string> names;
  for (const NodeId input : node.inputs) names.push_back(graph[input].name);
  return names;
}

TEST(SelectNodes, EachNodeStandsWhereTheOrderSaysAndTakesWhatItTook) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    const Graph graph = random_graph(random() % 12, random);
    const std::vector<NodeId> order = random_order(graph, round % 2 == 1, round % 4 >= 2, random);
    const Graph selected = select_nodes(graph, order);
    ASSERT_EQ(selected.size(), order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ(selected.nodes[i].name, graph[order[i]].name);
      EXPECT_EQ(names_of_inputs(selected, selected.nodes[i]), names_of_inputs(graph, graph[order[i]]));
    }
  }
}

}  // namespace
}  // namespace fxcut
