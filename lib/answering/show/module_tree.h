// The nodes of a graph by the module that they come from, for pictures: a tree whose root holds the forward and the
// backward, and these the modules of the model, "layers", "layers.0", and so on.
//
// A node without a module belongs to that of the latest value that it takes, an input of the graph to that of its first
// user.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "show/node_states.h"

namespace fxcut {

struct Module {
  std::string name;                     // the last part of its path: "0"
  std::uint32_t parent = 0;             // of the root: itself
  std::uint32_t depth = 0;              // of the root: 0
  std::vector<std::uint32_t> children;  // in the order of their first nodes
  std::vector<NodeId> nodes;            // its own, in execution order
};

struct ModuleTree {
  static constexpr std::uint32_t kRoot = 0;

  std::vector<Module> modules;           // a parent before its children
  std::vector<std::uint32_t> module_of;  // by node; of the output: kRoot

  // The path below the side, such as "layers.0"; empty of the root and the sides.
  std::string path(std::uint32_t module) const;
};

// A path deeper than this goes on in one last name.
inline constexpr std::uint32_t kDeepestModule = 24;

// The tree of `graph`, whose nodes are drawn as `shown` says.
ModuleTree module_tree(const Graph& graph, const std::vector<DrawnNode>& shown);

// The nodes of a module and of all within it, in execution order.
std::vector<NodeId> nodes_within(const ModuleTree& tree, std::uint32_t module);

}  // namespace fxcut
