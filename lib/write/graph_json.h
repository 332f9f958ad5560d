// A graph in its JSON form.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "read/document.h"

namespace fxcut {

// One side of a partition as JSON, one node a line so that grep and diff work on it: format "fx-graph", version 1. What
// the joint graph's file said of a node beside its call (`val`, `meta`, keys that nobody knows) is carried along from
// `source`, and so are the file's own other keys. `num_forward_outputs` is written for the forward only.
std::string graph_json(const Graph& graph, const std::vector<std::pair<std::string, Subgraph>>& subgraphs,
                       std::string_view side, const Document& source);

}  // namespace fxcut
