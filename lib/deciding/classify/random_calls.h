// Which calls take numbers from a random generator, so that running them again gives others.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "graph/graph.h"

namespace fxcut {

// Whether an operator's call draws: it is random, and not attention whose dropout is known to be zero. Not of
// higher-order calls.
bool draws_numbers(const Node& node);

// The same of any call, whatever it runs in subgraphs. What runs under a state that it is given draws the same again.
class RandomCalls {
 public:
  explicit RandomCalls(const Subgraphs& subgraphs);
  bool contains(const Graph& graph, const Node& node) const;

 private:
  std::set<std::string, std::less<>> drawing_;  // names of subgraphs
};

}  // namespace fxcut
