#include "push_relabel.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#pragma GCC diagnostic pop

namespace fxcut {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
struct Edge {
  std::int64_t capacity = 0;
  std::int64_t residual = 0;
  Traits::edge_descriptor reverse;
};
using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Edge>;

}  // namespace

std::int64_t push_relabel_flow(const FlowNetwork& network, std::int64_t infinity) {
  BoostGraph graph(network.vertices);
  for (const FlowEdge& edge : network.edges) {
    const auto there = boost::add_edge(edge.from, edge.to, graph).first;
    const auto back = boost::add_edge(edge.to, edge.from, graph).first;
    graph[there].capacity = edge.infinite ? infinity : static_cast<std::int64_t>(edge.capacity);
    graph[there].reverse = back;
    graph[back].reverse = there;
  }
  return boost::push_relabel_max_flow(graph, network.source, network.sink, boost::get(&Edge::capacity, graph),
                                      boost::get(&Edge::residual, graph), boost::get(&Edge::reverse, graph),
                                      boost::get(boost::vertex_index, graph));
}

}  // namespace fxcut
