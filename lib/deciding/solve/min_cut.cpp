// The only place that includes Boost.Graph.
//
// Boost's boykov_kolmogorov_max_flow finds the flow; the side of each vertex is then found by a search over the
// residual capacities, not in Boost's colour map, which is not a safe cut (a vertex adjacent to both terminals, or
// parallel edges, mislead it). The two searches give the two extreme minimum cuts:
//
//     nearest the backward   the sink side is all vertices that can still reach the sink
//     nearest the forward    the source side is all vertices that the source still reaches
//
// If its paths turn out to be long, it is given up for push_flow.h, after a number of steps along them that is proportional to
// the number of edges, and so the same on every machine. The cut does not depend on the flow by which it is found.
//
// Infinity is represented by more than all finite capacities together, so that no minimum cut contains such an edge.
#include <numeric>
#include <utility>

#include "solve/flow_network.h"
#include "solve/infinite_edges.h"
#include "solve/minimum_cuts.h"
#include "solve/push_flow.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/range/iterator_range.hpp>
#pragma GCC diagnostic pop

namespace fxcut {
namespace {

using Csr = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                               boost::no_property, std::uint32_t, std::uint32_t>;
using CsrEdge = boost::graph_traits<Csr>::edge_descriptor;

constexpr std::size_t kMaxStepsPerEdge = 20;  // transformers take at most 2

struct PathsAreLong {};

// For each vertex, the edge by which the search came to it. Each step along a path reads one.
struct CountedPredecessors {
  using key_type = Vertex;
  using value_type = CsrEdge;
  using reference = CsrEdge;
  using category = boost::read_write_property_map_tag;

  CsrEdge* edges;
  std::size_t* steps_left;
};

CsrEdge get(const CountedPredecessors& map, Vertex v) {
  if ((*map.steps_left)-- == 0) throw PathsAreLong();
  return map.edges[v];
}
void put(const CountedPredecessors& map, Vertex v, const CsrEdge& edge) { map.edges[v] = edge; }

}  // namespace

Residual::Residual(const FlowNetwork& network)
    : begin(network.vertices + 1, 0),
      to(network.edges.size() * 2),
      reverse(to.size()),
      capacity(to.size()),
      left(to.size()) {
  Int128 infinity = 1;
  for (const FlowEdge& edge : network.edges) {
    infinity += edge.infinite ? 0 : edge.capacity;
    ++begin[edge.from + 1];
    ++begin[edge.to + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (const FlowEdge& edge : network.edges) {
    const std::uint32_t there = next[edge.from]++, back = next[edge.to]++;
    to[there] = edge.to;
    to[back] = edge.from;
    reverse[there] = back;
    reverse[back] = there;
    capacity[there] = edge.infinite ? infinity : edge.capacity;
    capacity[back] = 0;
  }
}

Int128 find_max_flow(const FlowNetwork& network, Residual& residual) {
  std::vector<std::pair<Vertex, Vertex>> ends(residual.to.size());
  for (Vertex v = 0; v < network.vertices; ++v) {
    for (std::uint32_t e = residual.begin[v]; e < residual.begin[v + 1]; ++e) ends[e] = {v, residual.to[e]};
  }
  const Csr graph(boost::edges_are_sorted, ends.begin(), ends.end(), static_cast<std::uint32_t>(network.vertices));
  std::vector<CsrEdge> descriptors;
  descriptors.reserve(ends.size());
  for (const CsrEdge& edge : boost::make_iterator_range(boost::edges(graph))) descriptors.push_back(edge);
  std::vector<CsrEdge> reverse(ends.size());
  for (std::size_t e = 0; e < ends.size(); ++e) reverse[e] = descriptors[residual.reverse[e]];
  std::vector<CsrEdge> predecessor(network.vertices);
  std::vector<boost::default_color_type> color(network.vertices);
  std::vector<long> distance(network.vertices);
  std::size_t steps_left = ends.size() * kMaxStepsPerEdge;
  const auto edge_index = boost::get(boost::edge_index, graph);
  const auto vertex_index = boost::get(boost::vertex_index, graph);
  Int128 flow = 0;
  try {
    flow = boost::boykov_kolmogorov_max_flow(
        graph, boost::make_iterator_property_map(residual.capacity.begin(), edge_index),
        boost::make_iterator_property_map(residual.left.begin(), edge_index),
        boost::make_iterator_property_map(reverse.begin(), edge_index), CountedPredecessors{predecessor.data(), &steps_left},
        boost::make_iterator_property_map(color.begin(), vertex_index),
        boost::make_iterator_property_map(distance.begin(), vertex_index), vertex_index, network.source, network.sink);
  } catch (const PathsAreLong&) {
    flow = push_max_flow(network, residual);
  }
  return flow;
}

std::vector<bool> reached(const Residual& residual, Vertex start, bool backwards) {
  std::vector<bool> seen(residual.begin.size() - 1, false);
  std::vector<Vertex> open = {start};
  seen[start] = true;
  while (!open.empty()) {
    const Vertex at = open.back();
    open.pop_back();
    for (std::uint32_t e = residual.begin[at]; e < residual.begin[at + 1]; ++e) {
      const std::uint32_t travelled = backwards ? residual.reverse[e] : e;
      if (seen[residual.to[e]] || residual.left[travelled] == 0) continue;
      seen[residual.to[e]] = true;
      open.push_back(residual.to[e]);
    }
  }
  return seen;
}

MinCut solve_min_cut(const FlowNetwork& network, CutSide side) {
  const auto [rest, always_cut, place] = contract(network);
  Residual residual(rest);
  MinCut cut;
  cut.value = always_cut + find_max_flow(rest, residual);
  const bool near_backward = side == CutSide::NearestBackward;
  const std::vector<bool> found = reached(residual, near_backward ? rest.sink : rest.source, near_backward);
  cut.on_sink_side.resize(network.vertices);
  for (Vertex v = 0; v < network.vertices; ++v) cut.on_sink_side[v] = found[place[v]] == near_backward;
  return cut;
}

}  // namespace fxcut
