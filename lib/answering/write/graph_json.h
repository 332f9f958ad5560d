// A graph in its JSON form.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "json/document.h"
#include "write/files.h"

namespace fxcut {

// One side of a partition as JSON, one node a line so that grep and diff work on it: format "fx-graph", version 1. What
// the joint graph's file said of a node beside its call (`val`, `meta`, keys that nobody knows) is carried along from
// `source`, and so are the file's own other keys. `num_forward_outputs` is written for the forward only.
std::string graph_json(const Graph& graph, const Subgraphs& subgraphs, std::string_view side,
                       const Document& source);

// The same piece by piece: of a large graph the whole text is never in memory.
void write_graph_json(const Graph& graph, const Subgraphs& subgraphs,
                      std::string_view side, const Document& source, const TextSink& sink);

}  // namespace fxcut
