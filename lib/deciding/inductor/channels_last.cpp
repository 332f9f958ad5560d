#include "inductor/channels_last.h"

#include <algorithm>
#include <cstddef>

namespace fxcut {

std::vector<bool> prefer_channels_last(const Graph& graph, const Users& users) {
  std::vector<bool> prefers(graph.size(), false);
  std::size_t last = 0;
  for (std::size_t i = graph.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    const bool convolves = node.calls("aten.convolution.default");
    if (convolves) last = std::max(last, i);
    if (convolves) prefers[i] = true;
    else if (!node.calls("aten.bmm.default")) {
      prefers[i] = std::ranges::any_of(users.of(i), [&](NodeId reader) { return prefers[index_of(reader)]; });
    }
  }
  for (std::size_t i = 0; i < last; ++i) {
    if (!prefers[i]) continue;
    for (const NodeId reader : users.of(i)) {
      if (!graph[reader].calls("aten.bmm.default")) prefers[index_of(reader)] = true;
    }
  }
  return prefers;
}

}  // namespace fxcut
