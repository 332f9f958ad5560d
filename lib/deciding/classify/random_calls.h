// Calls that draw from a random generator, so that recomputing them gives other numbers.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "graph/graph.h"

namespace fxcut {

// Whether an operator's call draws: it is random, and not attention with a dropout known to be zero. Not for
// higher-order calls.
bool draws_numbers(const Node& node);

// The same for any call, including its subgraphs. A call under a given generator state draws the same numbers again.
class RandomCalls {
 public:
  explicit RandomCalls(const Subgraphs& subgraphs);
  bool contains(const Graph& graph, const Node& node) const;

 private:
  std::set<std::string, std::less<>> drawing_;  // names of subgraphs
};

}  // namespace fxcut
