// Layers that repeat (layers/layers.h), folded into one in a picture.
//
// Alike are two layers whose nodes, in execution order, agree one by one: in the path within the layer, the operator, dtype
// and shape, what becomes of the value, and which nodes within the layer each takes. Layers within folded ones are folded
// in the one that is left.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "show/graph_modules.h"

namespace fxcut {

struct Folding {
  std::vector<NodeId> stands_for;                     // by node: the one that is drawn in its place, or itself
  std::vector<std::vector<std::uint32_t>> instances;  // by module: those that it stands for, itself first; empty where
                                                      // another stands for it
};

// `kept` are modules that stay as they are: none of them stands for another, and none is stood for.
Folding fold_repeats(const Graph& graph, const std::vector<DrawnNode>& shown, const GraphModules& tree,
                     const std::vector<bool>& kept);

// Nothing folded.
Folding no_folding(const Graph& graph, const GraphModules& tree);

// "0-3, 5": the names of the layers that one stands for.
std::string instance_names(const GraphModules& tree, const std::vector<std::uint32_t>& instances);

}  // namespace fxcut
