#include "html/page_order.h"

namespace fxcut {

PageOrder::PageOrder(const RunningGraphs& running) : running_(running) {
  if (running.is_step()) {
    add(Side::Forward, running.first(), [](const Node& node) { return !node.meta.is_after_loss(); });
    num_forward_ = nodes_.size();
    add(Side::Forward, running.first(), [](const Node& node) { return node.meta.is_after_loss(); });
  } else {
    add(Side::Forward, running.first(), [](const Node&) { return true; });
    num_forward_ = nodes_.size();
    add(Side::Backward, running.second(), [](const Node&) { return true; });
  }
}

std::unordered_map<std::string_view, std::size_t> PageOrder::numbers_by_name() const {
  std::unordered_map<std::string_view, std::size_t> numbers;
  const Graph& graph = running_.first();
  for (std::size_t i = 0; i < graph.size(); ++i) numbers.emplace(graph.nodes[i].name, number_of(Side::Forward, node_id(i)));
  return numbers;
}

void PageOrder::add(Side side, const Graph& graph, const auto& is_chosen) {
  std::vector<std::size_t>& numbers = side == Side::Forward ? first_ : second_;
  numbers.resize(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!is_chosen(graph.nodes[i])) continue;
    numbers[i] = nodes_.size();
    nodes_.emplace_back(side, node_id(i));
  }
}

}  // namespace fxcut
