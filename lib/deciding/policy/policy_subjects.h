// What policies speak of.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// By node, whether policies reach it: the inputs and calls that do not depend on a gradient.
std::vector<bool> find_subjects(const Graph& graph);

// The node that computes a value: of an item of a tuple, the tuple's, unless that holds views.
NodeId computing_node(const Graph& graph, NodeId id);

}  // namespace fxcut
