// The nodes of a page and their numbers: those of the forward, then of the backward and the optimizer.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "report/running_graphs.h"

namespace fxcut {

class PageOrder {
 public:
  explicit PageOrder(const RunningGraphs& running);

  std::size_t num_forward() const { return num_forward_; }
  const std::vector<std::pair<Side, NodeId>>& nodes() const { return nodes_; }
  std::size_t number_of(Side side, NodeId id) const { return (side == Side::Forward ? first_ : second_)[index_of(id)]; }
  const RunningGraphs& running() const { return running_; }

  // For each name of the graph that runs first, as a whole step has other positions than its forward.
  std::unordered_map<std::string_view, std::size_t> numbers_by_name() const;

 private:
  void add(Side side, const Graph& graph, const auto& is_chosen);

  RunningGraphs running_;
  std::vector<std::pair<Side, NodeId>> nodes_;
  std::vector<std::size_t> first_, second_;  // by node of the two graphs
  std::size_t num_forward_ = 0;
};

}  // namespace fxcut
