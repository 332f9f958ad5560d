#include "solve/contraction.h"

#include "solve/infinite_edges.h"

namespace fxcut {
namespace {

constexpr Vertex kSource = 0, kSink = 1;

std::vector<Vertex> place_vertices(const FlowNetwork& whole, std::size_t& vertices) {
  const std::vector<bool> with_source = reachable_from(InfiniteEdges(whole, EdgeDirection::Forward), whole.source);
  const std::vector<bool> with_sink = reachable_from(InfiniteEdges(whole, EdgeDirection::Backward), whole.sink);
  std::vector<Vertex> place(whole.vertices);
  Vertex next = 2;
  for (Vertex v = 0; v < whole.vertices; ++v) place[v] = with_source[v] ? kSource : with_sink[v] ? kSink : next++;
  vertices = next;
  return place;
}

}  // namespace

Contraction contract(const FlowNetwork& whole) {
  Contraction result;
  FlowNetwork& network = result.network;
  network.source = kSource;
  network.sink = kSink;
  result.place = place_vertices(whole, network.vertices);
  std::vector<Wide> from_source(network.vertices, 0), to_sink(network.vertices, 0);
  for (const FlowEdge& edge : whole.edges) {
    const Vertex from = result.place[edge.from], to = result.place[edge.to];
    if (from == kSink || to == kSource) continue;
    if (from == kSource) {
      from_source[to] += edge.capacity;
    } else if (to == kSink) {
      to_sink[from] += edge.capacity;
    } else {
      network.edges.push_back({from, to, edge.capacity, edge.infinite});
    }
  }
  result.always_cut = from_source[kSink];
  for (Vertex v = 2; v < network.vertices; ++v) {
    if (from_source[v] > 0) network.edges.push_back({kSource, v, from_source[v]});
    if (to_sink[v] > 0) network.edges.push_back({v, kSink, to_sink[v]});
  }
  return result;
}

}  // namespace fxcut
