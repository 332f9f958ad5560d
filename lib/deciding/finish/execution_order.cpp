#include "finish/execution_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "graph/editing.h"
#include "graph/rebuild.h"

namespace fxcut {
namespace {

// Appends a node after its inputs that are not in the order yet, which are in the order of the source.
class Reorder {
 public:
  explicit Reorder(const Graph& graph) : graph_(graph), seen_(graph.size(), false) { order_.reserve(graph.size()); }

  void insert(NodeId last) {
    needed_.clear();
    open_.push_back(last);
    while (!open_.empty()) {
      const NodeId id = open_.back();
      open_.pop_back();
      if (seen_[index_of(id)]) continue;
      seen_[index_of(id)] = true;
      needed_.push_back(id);
      for (const NodeId input : graph_[id].inputs) open_.push_back(input);
    }
    std::sort(needed_.begin(), needed_.end());
    order_.insert(order_.end(), needed_.begin(), needed_.end());
  }

  const std::vector<NodeId>& order() const { return order_; }

 private:
  const Graph& graph_;
  std::vector<bool> seen_;
  std::vector<NodeId> open_, needed_, order_;
};

bool is_raised(const Node& node) {
  if (!node.calls("operator.getitem")) return false;
  if (node.inputs.size() == 1) return true;
  throw Failure(ExitStatus::NoPartition,
                fmt::format("'{}' has a computed key: expected a constant", node.name),
                "a getitem is moved to its tuple, so it must not have another input");
}

}  // namespace

std::optional<NodeId> first_use_of_tangent(const Graph& backward) {
  for (std::size_t i = 0; i < backward.size(); ++i) {
    if (uses_gradient(backward, backward.nodes[i])) return node_id(i);
  }
  return std::nullopt;
}

Graph order_like_autograd(Graph backward, const std::set<std::string>& effects, bool keeps_copies) {
  const std::optional<NodeId> use = first_use_of_tangent(backward);
  if (!use) return backward;
  const std::size_t first = index_of(*use);
  Reorder reorder(backward);
  for (std::size_t i = 0; i < backward.size(); ++i) {
    if (backward.nodes[i].is_placeholder()) reorder.insert(node_id(i));
  }
  // A mutation of an input stays, even if it contains no gradient.
  for (std::size_t i = 0; i < first; ++i) {
    const Node& node = backward.nodes[i];
    if ((keeps_copies && node.calls("aten.copy_.default")) || effects.contains(node.name)) reorder.insert(node_id(i));
  }
  for (std::size_t i = first; i < backward.size(); ++i) reorder.insert(node_id(i));
  return select_nodes(std::move(backward), reorder.order());
}

Graph raise_getitems(Graph graph) {
  // From the last getitem to the first, each moves to just after its tuple, so that they keep their order.
  NodeOrder order(graph.size());
  for (std::size_t i = graph.size(); i-- > 0;) {
    if (is_raised(graph.nodes[i])) order.put_after(graph.nodes[i].inputs.front(), node_id(i));
  }
  return select_nodes(std::move(graph), order.sequence());
}

}  // namespace fxcut
