// Folds repeated layers (report/layers.h) of a picture.
//
// Two layers are alike if their nodes, in execution order, agree one by one: in the path within the layer, the operator,
// dtype and shape, the state of the value, and the inputs from within the layer. Layers within folded ones are folded in
// the layer that is drawn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "show/graph_modules.h"

namespace fxcut {

struct Folding {
  std::vector<NodeId> drawn_as;                     // by node: the node that is drawn in its place, or itself
  std::vector<std::vector<std::uint32_t>> instances;  // by module: the modules that it represents, itself first; empty if
                                                      // another one represents it
};

// Modules in `kept` are neither folded nor represent others.
Folding fold_repeats(const Graph& graph, const std::vector<DrawnNode>& shown, const GraphModules& tree,
                     const std::vector<bool>& kept);

// A Folding without any folded modules.
Folding no_folding(const Graph& graph, const GraphModules& tree);

// "0-3, 5": the names of layers that one represents.
std::string instance_names(const GraphModules& tree, const std::vector<std::uint32_t>& instances);

}  // namespace fxcut
