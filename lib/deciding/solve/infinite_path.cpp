#include <algorithm>
#include <queue>

#include "solve/infinite_edges.h"

namespace fxcut {
namespace {

constexpr Vertex kUnseen = 0xffffffff;

}  // namespace

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
