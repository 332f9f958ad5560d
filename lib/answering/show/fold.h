// Layers that repeat, folded into one: of sibling modules that are called by a number and are alike inside, the first
// stands for all.
//
// Alike are two modules whose nodes, in execution order, agree one by one: in the path within the module, the operator,
// dtype and shape, what becomes of the value, and which nodes within the module each takes. Modules within folded ones
// are folded in the one that is left.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "show/module_tree.h"

namespace fxcut {

struct Folding {
  std::vector<NodeId> stands_for;                     // by node: the one that is drawn in its place, or itself
  std::vector<std::vector<std::uint32_t>> instances;  // by module: those that it stands for, itself first; empty where
                                                      // another stands for it
};

// `kept` are modules that stay as they are: none of them stands for another, and none is stood for.
Folding fold_repeats(const Graph& graph, const std::vector<DrawnNode>& shown, const ModuleTree& tree,
                     const std::vector<bool>& kept);

// Nothing folded.
Folding no_folding(const Graph& graph, const ModuleTree& tree);

// "0..3, 5": the names of the modules that one stands for, which are numbers; of many runs the first.
std::string instance_names(const ModuleTree& tree, const std::vector<std::uint32_t>& instances);

}  // namespace fxcut
