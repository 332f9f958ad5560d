#include "finish/getitems.h"

#include <fmt/format.h>

#include <vector>

#include "diagnostic/diagnostic.h"
#include "graph/rebuild.h"

namespace fxcut {
namespace {

bool is_raised(const Node& node) {
  if (!node.calls("operator.getitem")) return false;
  if (node.inputs.size() == 1) return true;
  throw Failure(ExitStatus::NoPartition,
                fmt::format("'{}' takes an item by a key that is computed; expected a constant", node.name),
                "a getitem can only be moved to the tuple it takes apart if it needs nothing else");
}

}  // namespace

Graph raise_getitems(Graph graph) {
  // From the last getitem to the first, each goes right behind its parent: a linked list, of which `next` is all.
  constexpr std::size_t kEnd = static_cast<std::size_t>(-1);
  std::vector<std::size_t> next(graph.size() + 1), previous(graph.size() + 1);
  const std::size_t head = graph.size();
  std::size_t before = head;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    next[before] = i;
    previous[i] = before;
    before = i;
  }
  next[before] = kEnd;
  for (std::size_t i = graph.size(); i-- > 0;) {
    if (!is_raised(graph.nodes[i])) continue;
    const std::size_t parent = index_of(graph.nodes[i].inputs.front());
    if (previous[i] == parent) continue;
    next[previous[i]] = next[i];
    if (next[i] != kEnd) previous[next[i]] = previous[i];
    next[i] = next[parent];
    previous[next[parent]] = i;
    next[parent] = i;
    previous[i] = parent;
  }
  std::vector<NodeId> order;
  order.reserve(graph.size());
  for (std::size_t i = next[head]; i != kEnd; i = next[i]) order.push_back(node_id(i));
  return select_nodes(std::move(graph), order);
}

}  // namespace fxcut
