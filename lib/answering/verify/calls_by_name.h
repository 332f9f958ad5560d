// The calls of a graph by their names.
#pragma once

#include <string_view>
#include <unordered_map>

#include "graph/graph.h"

namespace fxcut {

using CallsByName = std::unordered_map<std::string_view, const Node*>;

// Each call of the graph; names and nodes are the graph's.
inline CallsByName calls_of(const Graph& graph) {
  CallsByName calls;
  for (const Node& node : graph.nodes) {
    if (node.is_call()) calls.emplace(node.name, &node);
  }
  return calls;
}

}  // namespace fxcut
