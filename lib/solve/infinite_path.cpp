#include <algorithm>
#include <queue>

#include "solve/flow_network.h"

namespace fxcut {
namespace {

constexpr Vertex kUnseen = 0xffffffff;

// The infinite edges, by the vertex that they leave.
struct InfiniteEdges {
  explicit InfiniteEdges(const FlowNetwork& network) : begin(network.vertices + 1, 0) {
    for (const FlowEdge& edge : network.edges) begin[edge.from + 1] += edge.infinite ? 1 : 0;
    for (std::size_t v = 1; v < begin.size(); ++v) begin[v] += begin[v - 1];
    to.resize(begin.back());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (const FlowEdge& edge : network.edges) {
      if (edge.infinite) to[next[edge.from]++] = edge.to;
    }
  }
  std::vector<std::uint32_t> begin;
  std::vector<Vertex> to;
};

}  // namespace

std::vector<Vertex> infinite_path(const FlowNetwork& network) {
  const InfiniteEdges edges(network);
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
