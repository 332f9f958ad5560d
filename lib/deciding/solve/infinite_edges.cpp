#include "solve/infinite_edges.h"

#include <numeric>

namespace fxcut {

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

}  // namespace fxcut
