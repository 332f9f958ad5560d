#include "finish/getitems.h"

#include <fmt/format.h>

#include "diagnostic/diagnostic.h"
#include "graph/node_order.h"
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
  // From the last getitem to the first, each moves to just after its tuple, so that they keep their order.
  NodeOrder order(graph.size());
  for (std::size_t i = graph.size(); i-- > 0;) {
    if (is_raised(graph.nodes[i])) order.put_after(graph.nodes[i].inputs.front(), node_id(i));
  }
  return select_nodes(std::move(graph), order.sequence());
}

}  // namespace fxcut
