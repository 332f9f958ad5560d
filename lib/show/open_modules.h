// Which modules a picture shows open.
#pragma once

#include <vector>

#include "show/fold.h"
#include "show/module_tree.h"

namespace fxcut {

// Inputs of the graph within one module: more than so many are one box.
inline constexpr std::size_t kMostInputBoxes = 3;

// Of the nodes of one module so many boxes are made at most.
inline constexpr std::size_t kMostNodeBoxes = 40;

// How many boxes the module's own nodes make: calls and inputs.
struct OwnBoxes {
  std::size_t calls = 0;
  std::size_t inputs = 0;
};
OwnBoxes own_boxes(const Graph& graph, const Module& module);

// By module: whether it is shown open, so that about `most_boxes` boxes are shown. `first` are opened in any case.
std::vector<bool> open_modules(const Graph& graph, const ModuleTree& tree, const Folding& folding,
                               std::size_t most_boxes, const std::vector<bool>& first);

}  // namespace fxcut
