#include "solve/infinite_edges.h"

#include <algorithm>
#include <numeric>
#include <queue>

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

constexpr Vertex kUnseen = 0xffffffff;

}  // namespace

InfiniteEdges::InfiniteEdges(const FlowNetwork& network, EdgeDirection direction) : begin(network.vertices + 1, 0) {
  const auto start = [&](const FlowEdge& edge) { return direction == EdgeDirection::Forward ? edge.from : edge.to; };
  const auto end = [&](const FlowEdge& edge) { return direction == EdgeDirection::Forward ? edge.to : edge.from; };
  for (const FlowEdge& edge : network.edges) begin[start(edge) + 1] += edge.infinite ? 1 : 0;
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  to.resize(begin.back());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (const FlowEdge& edge : network.edges) {
    if (edge.infinite) to[next[start(edge)]++] = end(edge);
  }
}

std::vector<bool> reachable_from(const InfiniteEdges& edges, Vertex start) {
  std::vector<bool> is_reachable(edges.begin.size() - 1, false);
  std::vector<Vertex> open = {start};
  is_reachable[start] = true;
  while (!open.empty()) {
    const Vertex at = open.back();
    open.pop_back();
    for (std::uint32_t e = edges.begin[at]; e < edges.begin[at + 1]; ++e) {
      if (is_reachable[edges.to[e]]) continue;
      is_reachable[edges.to[e]] = true;
      open.push_back(edges.to[e]);
    }
  }
  return is_reachable;
}

Contraction contract(const FlowNetwork& whole) {
  Contraction result;
  FlowNetwork& network = result.network;
  network.source = kSource;
  network.sink = kSink;
  result.place = place_vertices(whole, network.vertices);
  network.edges.reserve(whole.edges.size());
  std::vector<Int128> from_source(network.vertices, 0), to_sink(network.vertices, 0);
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

std::vector<Vertex> infinite_path(const FlowNetwork& network) {
  const InfiniteEdges edges(network, EdgeDirection::Forward);
  std::vector<Vertex> reached_from(network.vertices, kUnseen);
  std::queue<Vertex> open;
  open.push(network.source);
  reached_from[network.source] = network.source;
  while (!open.empty() && reached_from[network.sink] == kUnseen) {
    const Vertex at = open.front();
    open.pop();
    for (std::uint32_t e = edges.begin[at]; e < edges.begin[at + 1]; ++e) {
      if (reached_from[edges.to[e]] != kUnseen) continue;
      reached_from[edges.to[e]] = at;
      open.push(edges.to[e]);
    }
  }
  std::vector<Vertex> path;
  if (reached_from[network.sink] == kUnseen) return path;
  for (Vertex at = network.sink; at != network.source; at = reached_from[at]) path.push_back(at);
  path.push_back(network.source);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace fxcut
