// A graph as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "graph/graph.h"
#include "json/document.h"
#include "write/files.h"

namespace fxcut {

// One side of a partition as JSON, one line for each node so that grep and diff work on it: format "fx-graph", version 1. Other
// members of a node in the joint graph's file (`val`, `meta`, unknown keys) are copied from `source`, and so are the other
// members of the file itself. `num_forward_outputs` is written for the forward only. Instead of a side, "step" is a whole step:
// format "fx-step-graph".
std::string graph_json(const Graph& graph, const Subgraphs& subgraphs, std::string_view side, const Document& source);

// The same piece by piece, so that the text of a large graph is never in memory as a whole. `num_forward_outputs` is given for
// the forward of a whole step, whose file has none.
void write_graph_json(const Graph& graph, const Subgraphs& subgraphs,
                      std::string_view side, const Document& source, const TextSink& sink,
                      std::optional<std::size_t> num_forward_outputs = std::nullopt);

// A part of the joint graph in `source`, such as a stage (stage/split_at.h), as a joint graph of its own: format
// "fx-joint-graph". Inputs that are calls in `source` have their values, and not their meta.
void write_joint_graph_json(const JointGraph& joint, const Document& source, const TextSink& sink);

}  // namespace fxcut
