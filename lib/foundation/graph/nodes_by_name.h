// The nodes of a graph by their names.
#pragma once

#include <string_view>
#include <unordered_map>

#include "graph/graph.h"

namespace fxcut {

using NodesByName = std::unordered_map<std::string_view, NodeId>;

// The names are the graph's own texts: the graph must outlive the result.
NodesByName nodes_by_name(const Graph& graph);

}  // namespace fxcut
