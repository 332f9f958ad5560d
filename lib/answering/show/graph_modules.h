// The nodes of a graph by module, for pictures: a tree whose root contains the forward and the backward, and these the
// modules of the model, "layers", "layers.0", and so on.
//
// A node without a module is in that of its latest input, an input of the graph in that of its first user.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "report/layers.h"
#include "show/node_states.h"

namespace fxcut {

struct GraphModules : ModuleTree {
  std::vector<std::uint32_t> module_of;    // by node; of the output: kRoot
  std::vector<std::vector<NodeId>> nodes;  // by module: its own, in execution order

  // The path below the side, such as "layers.0"; empty for the root and the sides.
  std::string path(std::uint32_t module) const { return ModuleTree::path(module, 1); }
};

// The modules of `graph` in the order of their first nodes; `shown` has the side of each node.
GraphModules graph_modules(const Graph& graph, const std::vector<DrawnNode>& shown);

// The nodes of a module and of all within it, in execution order.
std::vector<NodeId> nodes_within(const GraphModules& tree, std::uint32_t module);

}  // namespace fxcut
